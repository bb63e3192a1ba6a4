class Solution:
    def solve(self, weights):
        total = sum(weights)
        reach = {0}
        for w in sorted(weights):
            reach |= {s + w for s in reach}
            if max(reach) > total // 2:
                break
        return min(abs(total - 2 * s) for s in reach)
