from math import sqrt


class Solution:
    def solve(self, n, k):
        if k == 2:
            return int(sqrt(n))
        low, high = 0, n + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if middle ** k <= n else (low, middle)
        return low
