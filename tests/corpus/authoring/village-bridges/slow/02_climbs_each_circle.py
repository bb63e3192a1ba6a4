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

        round_about = [False] * n
        planted = set(way)
        for road, (a, b) in enumerate(roads):
            if road in planted:
                continue
            while a != b:
                if depth[a] < depth[b]:
                    a, b = b, a
                round_about[a] = True
                a = above[a]

        sizes = [1] * n
        for village in reversed(order):
            if above[village] >= 0:
                sizes[above[village]] += sizes[village]
        best = [-1, 0]
        for village in order:
            if above[village] >= 0 and not round_about[village]:
                cut = sizes[village] * (sizes[home[village]] - sizes[village])
                if cut > best[1] or cut == best[1] and way[village] < best[0]:
                    best = [way[village], cut]
        return best
