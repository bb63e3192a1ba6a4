class Solution:
    def solve(self, weights):
        n, total = len(weights), sum(weights)
        best = total
        for mask in range(1 << n):
            one = sum(w for i, w in enumerate(weights) if mask >> i & 1)
            best = min(best, abs(total - 2 * one))
        return best
