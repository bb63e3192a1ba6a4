class Solution:
    def solve(self, n, edges):
        near = [[] for _ in range(n)]
        for a, b in edges:
            near[a].append(b)
            near[b].append(a)
        order, above = [0], [-1] * n
        for node in order:
            for other in near[node]:
                if other != above[node]:
                    above[other] = node
                    order.append(other)
        size, sums = [1] * n, [0] * n
        for node in range(n - 1, 0, -1):
            size[above[node]] += size[node]
            sums[0] += size[node]
        for node in order[1:]:
            sums[node] = sums[above[node]] + n - 2 * size[node]
        return sums
