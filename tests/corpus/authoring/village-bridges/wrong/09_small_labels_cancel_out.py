class Solution:
    def solve(self, n, roads):
        near = [[] for _ in range(n)]
        for road, (a, b) in enumerate(roads):
            near[a].append((b, road))
            near[b].append((a, road))
        above, way, home, order = [-1] * n, [-1] * n, [-1] * n, []
        for root in range(n):
            if home[root] >= 0:
                continue
            home[root] = root
            todo = [root]
            for here in todo:
                for there, road in near[here]:
                    if home[there] < 0:
                        home[there], above[there], way[there] = root, here, road
                        todo.append(there)
            order += todo
        labels = [0] * n
        planted = set(way)
        for road, (a, b) in enumerate(roads):
            if road not in planted:
                labels[a] ^= road + 1
                labels[b] ^= road + 1
        sizes = [1] * n
        for village in reversed(order):
            if above[village] >= 0:
                sizes[above[village]] += sizes[village]
                labels[above[village]] ^= labels[village]
        best = [-1, 0]
        for village in order:
            if above[village] >= 0 and labels[village] == 0:
                cut = sizes[village] * (sizes[home[village]] - sizes[village])
                if cut > best[1] or cut == best[1] and way[village] < best[0]:
                    best = [way[village], cut]
        return best
