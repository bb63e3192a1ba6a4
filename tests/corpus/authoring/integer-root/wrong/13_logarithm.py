from math import exp, log


class Solution:
    def solve(self, n, k):
        return int(exp(log(n) / k) + 1e-9) if n else 0
