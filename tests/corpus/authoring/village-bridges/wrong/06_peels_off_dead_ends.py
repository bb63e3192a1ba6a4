class Solution:
    def solve(self, n, roads):
        near = [set() for _ in range(n)]
        for road, (a, b) in enumerate(roads):
            if a != b:
                near[a].add(road)
                near[b].add(road)
        group = [-1] * n
        total = [0] * n
        for root in range(n):
            if group[root] < 0:
                group[root], found = root, [root]
                for here in found:
                    for road in near[here]:
                        there = sum(roads[road]) - here
                        if group[there] < 0:
                            group[there] = root
                            found.append(there)
                total[root] = len(found)
        sizes = [1] * n
        best = [-1, 0]
        ends = [village for village in range(n) if len(near[village]) == 1]
        for end in ends:
            if not near[end]:
                continue
            road = near[end].pop()
            there = sum(roads[road]) - end
            near[there].remove(road)
            sizes[there] += sizes[end]
            cut = sizes[end] * (total[group[end]] - sizes[end])
            if cut > best[1] or cut == best[1] and road < best[0]:
                best = [road, cut]
            if len(near[there]) == 1:
                ends.append(there)
        return best
