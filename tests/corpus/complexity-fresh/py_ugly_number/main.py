from math import gcd


def lcm(a, b):
    return a * b // gcd(a, b)


def nth_ugly(n, a, b, c):
    ab, bc, ca = lcm(a, b), lcm(b, c), lcm(c, a)
    abc = lcm(ab, c)

    def count(x):
        return x // a + x // b + x // c - x // ab - x // bc - x // ca + x // abc

    lo, hi = 1, n * min(a, b, c)
    while lo < hi:
        mid = (lo + hi) // 2
        if count(mid) >= n:
            hi = mid
        else:
            lo = mid + 1
    return lo


n, a, b, c = map(int, input().split())
print(nth_ugly(n, a, b, c))
