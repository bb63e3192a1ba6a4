class Solution:
    def solve(self, parents, values):
        n = len(parents)
        arms = [[(0, 0), (0, 0)] for _ in parents]
        best = (0, max(values))
        for node in range(n - 1, -1, -1):
            one, two = sorted(arms[node], key=lambda arm: (arm[1], arm[0]))[-2:]
            best = max(best, (0, values[node] + one[1] + two[1]))
            if node:
                here = sorted(arms[node])[-1]
                arms[parents[node]].append((here[0] + 1, max(0, values[node] + here[1])))
        return best[1]
