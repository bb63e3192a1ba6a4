from itertools import accumulate


class Solution:
    def solve(self, weights):
        total = sum(weights)
        return min(abs(total - 2 * part) for part in accumulate(weights))
