class Solution:
    def solve(self, n, roads):
        near = [[] for _ in range(n)]
        for road, (a, b) in enumerate(roads):
            near[a].append((b, road))
            near[b].append((a, road))

        def reached(start, closed):
            seen = [False] * n
            seen[start] = True
            found = [start]
            for here in found:
                for there, road in near[here]:
                    if road != closed and not seen[there]:
                        seen[there] = True
                        found.append(there)
            return seen, len(found)

        best = [-1, 0]
        for road, (a, b) in enumerate(roads):
            seen, size = reached(a, road)
            if not seen[b]:
                pairs = size * reached(b, road)[1]
                if pairs > best[1]:
                    best = [road, pairs]
        return best
