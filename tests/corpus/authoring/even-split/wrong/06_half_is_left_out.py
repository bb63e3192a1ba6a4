class Solution:
    def solve(self, weights):
        total = sum(weights)
        reach = {0}
        for w in weights:
            reach |= {s + w for s in reach if 2 * (s + w) < total}
        return total - 2 * max(reach)
