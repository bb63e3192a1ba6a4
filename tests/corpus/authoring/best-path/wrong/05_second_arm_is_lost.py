class Solution:
    def solve(self, parents, values):
        n = len(parents)
        first, second = [0] * n, [0] * n
        best = max(values)
        for node in range(n - 1, -1, -1):
            best = max(best, values[node] + first[node] + second[node])
            arm = values[node] + first[node]
            above = parents[node]
            if above >= 0 and arm > first[above]:
                first[above] = arm
            elif above >= 0 and arm > second[above]:
                second[above] = arm
        return best
