import sys
def f(x):
    return [
        1,
        x.foo(3),
    ]
def g(a):
    b = a * 2
    return (b +
            f(b))
for i in range(2):
    g(i)
