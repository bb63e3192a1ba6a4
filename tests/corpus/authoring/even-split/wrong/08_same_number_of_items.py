class Solution:
    def solve(self, weights):
        n, total = len(weights), sum(weights)
        reach = [{0}] + [set() for _ in range(n)]
        for k, w in enumerate(weights):
            for count in range(min(k, n // 2), -1, -1):
                reach[count + 1] |= {s + w for s in reach[count]}
        return min(abs(total - 2 * s) for s in reach[n // 2])
