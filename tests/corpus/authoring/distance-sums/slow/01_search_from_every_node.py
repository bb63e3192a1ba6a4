class Solution:
    def solve(self, n, edges):
        near = [[] for _ in range(n)]
        for a, b in edges:
            near[a].append(b)
            near[b].append(a)
        sums = []
        for start in range(n):
            total, level = 0, [(start, -1, 0)]
            for node, before, steps in level:
                total += steps
                for other in near[node]:
                    if other != before:
                        level.append((other, node, steps + 1))
            sums.append(total)
        return sums
