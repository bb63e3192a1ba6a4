from math import isqrt


class Solution:
    def solve(self, n, k):
        while k % 2 == 0:
            n, k = isqrt(n), k // 2
        root = round(n ** (1 / k))
        return root if root ** k <= n else root - 1
