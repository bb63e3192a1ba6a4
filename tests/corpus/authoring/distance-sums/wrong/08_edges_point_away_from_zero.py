class Solution:
    def solve(self, n, edges):
        near = [[] for _ in range(n)]
        for a, b in edges:
            near[a].append(b)
        order = [0]
        for node in order:
            order += near[node]
        if len(order) < n:
            near = [[] for _ in range(n)]
            for a, b in edges:
                near[b].append(a)
            order = [0]
            for node in order:
                order += near[node]
        above = {b: a for a in range(n) for b in near[a]}
        size, sums = [1] * n, [0] * n
        for node in reversed(order[1:]):
            size[above[node]] += size[node]
            sums[0] += size[node]
        for node in order[1:]:
            sums[node] = sums[above[node]] + n - 2 * size[node]
        return sums
