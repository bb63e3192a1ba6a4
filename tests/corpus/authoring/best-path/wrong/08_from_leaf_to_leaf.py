class Solution:
    def solve(self, parents, values):
        n = len(parents)
        arms = [[] for _ in parents]
        best = values[0] if n == 1 else -10**18
        for node in range(n - 1, -1, -1):
            longest = sorted(arms[node], reverse=True)[:2]
            if len(longest) == 2 or node == 0:
                best = max(best, values[node] + sum(longest))
            if node:
                arms[parents[node]].append(values[node] + (longest[0] if longest else 0))
        return best
