class Solution:
    def solve(self, parents, values):
        children = [[] for _ in parents]
        for node in range(1, len(parents)):
            children[parents[node]].append(node)
        best = values[0]

        def arm(node):
            nonlocal best
            longest = sorted([max(0, arm(child)) for child in children[node]] + [0, 0])
            best = max(best, values[node] + longest[-1] + longest[-2])
            return values[node] + longest[-1]

        arm(0)
        return best
