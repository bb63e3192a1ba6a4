from math import isqrt


def divisor_sum(x):
    total = 1
    root = isqrt(x)
    for d in range(2, root + 1):
        if x % d == 0:
            total += d + x // d
    if root * root == x and root > 1:
        total -= root
    return total


n = int(input())
abundant = perfect = 0
for x in range(2, n + 1):
    s = divisor_sum(x)
    if s > x:
        abundant += 1
    elif s == x:
        perfect += 1
print(abundant, perfect)
