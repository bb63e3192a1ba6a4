from math import isqrt


class Solution:
    def solve(self, low, high):
        root = min(isqrt(high), 50000)
        small = bytearray([1]) * (root + 1)
        wide = bytearray([1]) * (high - low + 1)
        for p in range(2, root + 1):
            if small[p]:
                small[p * p::p] = bytes(len(range(p * p, root + 1, p)))
                first = max(p * p, (low + p - 1) // p * p) - low
                wide[first::p] = bytes(len(range(first, len(wide), p)))
        return sum(wide) - (low == 1)
