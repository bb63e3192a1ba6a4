class Solution:
    def solve(self, weights):
        ordered = sorted(weights)
        reach = {ordered.pop()}
        for w in ordered:
            reach |= {s + w for s in reach if s + w <= sum(weights) // 2}
        return min(abs(sum(weights) - 2 * s) for s in reach)
