class Solution:
    def solve(self, parents, values):
        n = len(parents)
        first, second = [-10**9] * n, [-10**9] * n
        best = max(values)
        for node in range(n - 1, -1, -1):
            best = max(best, values[node] + max(first[node], -10**8) + max(second[node], -10**8), values[node], values[node] + first[node])
            arm = values[node] + (first[node] if first[node] > -10**8 else 0)
            above = parents[node]
            if above >= 0 and arm > first[above]:
                first[above], second[above] = arm, first[above]
            elif above >= 0 and arm > second[above]:
                second[above] = arm
        return best
