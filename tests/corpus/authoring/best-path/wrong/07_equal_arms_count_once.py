class Solution:
    def solve(self, parents, values):
        arms = [{0} for _ in parents]
        best = max(values)
        for node in range(len(parents) - 1, -1, -1):
            longest = sorted(arms[node], reverse=True)[:2]
            best = max(best, values[node] + sum(longest))
            if node:
                arms[parents[node]].add(max(0, values[node] + longest[0]))
        return best
