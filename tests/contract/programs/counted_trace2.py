def f(a, b):
    return [x in b for x in a].insert(a * b, 3)
f([1], 5)
