class Solution:
    def solve(self, weights):
        total = sum(weights)
        half = total // 2
        reach = [True] + [False] * half
        for w in weights:
            for s in range(w, half + 1):
                reach[s] = reach[s] or reach[s - w]
        return total - 2 * max(s for s in range(half + 1) if reach[s])
