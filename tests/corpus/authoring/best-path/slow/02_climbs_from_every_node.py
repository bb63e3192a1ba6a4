class Solution:
    def solve(self, parents, values):
        n = len(parents)
        arms = [{} for _ in parents]
        for node in range(n):
            total, here = 0, node
            while here >= 0:
                total += values[here]
                above = parents[here]
                if above >= 0:
                    arms[above][here] = max(arms[above].get(here, 0), total)
                here = above
        best = max(values)
        for node in range(n):
            longest = sorted(arms[node].values())[-2:]
            best = max(best, values[node] + sum(longest), values[node] + max(longest, default=0))
        return best
