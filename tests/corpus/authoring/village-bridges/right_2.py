class Solution:
    def solve(self, n, roads):
        near = [[] for _ in range(n)]
        for road, (a, b) in enumerate(roads):
            near[a].append((b, road))
            near[b].append((a, road))
        above, way, depth, home, order = [-1] * n, [-1] * n, [-1] * n, [0] * n, []
        for root in range(n):
            if depth[root] >= 0:
                continue
            depth[root] = 0
            layer = [root]
            while layer:
                order += layer
                later = []
                for here in layer:
                    home[here] = root
                    for there, road in near[here]:
                        if depth[there] < 0:
                            depth[there], above[there], way[there] = depth[here] + 1, here, road
                            later.append(there)
                layer = later

        # Villages on a common circle are merged; top[village] leads to the highest of its group.
        top = list(range(n))

        def highest(village):
            while top[village] != village:
                top[village] = top[top[village]]
                village = top[village]
            return village

        planted = set(way)
        for road, (a, b) in enumerate(roads):
            if road in planted:
                continue
            a, b = highest(a), highest(b)
            while a != b:
                if depth[a] < depth[b]:
                    a, b = b, a
                top[a] = above[a]
                a = highest(a)

        sizes = [1] * n
        for village in reversed(order):
            if above[village] >= 0:
                sizes[above[village]] += sizes[village]
        best = [-1, 0]
        for village in order:
            if above[village] >= 0 and top[village] == village:
                cut = sizes[village] * (sizes[home[village]] - sizes[village])
                if cut > best[1] or cut == best[1] and way[village] < best[0]:
                    best = [way[village], cut]
        return best
