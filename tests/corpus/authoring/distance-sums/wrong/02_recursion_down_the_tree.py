class Solution:
    def solve(self, n, edges):
        near = [[] for _ in range(n)]
        for a, b in edges:
            near[a].append(b)
            near[b].append(a)
        size, sums = [1] * n, [0] * n

        def count(node, above):
            for other in near[node]:
                if other != above:
                    count(other, node)
                    size[node] += size[other]
                    sums[node] += sums[other] + size[other]

        def spread(node, above):
            for other in near[node]:
                if other != above:
                    sums[other] = sums[node] + n - 2 * size[other]
                    spread(other, node)

        count(0, -1)
        spread(0, -1)
        return sums
