class Solution:
    def solve(self, n, roads):
        near = [[] for _ in range(n)]
        for road, (a, b) in enumerate(roads):
            near[a].append((b, road))
            near[b].append((a, road))
        entered, way, home, above, order = [-1] * n, [-1] * n, [-1] * n, [-1] * n, []
        for root in range(n):
            if home[root] >= 0:
                continue
            home[root] = root
            stack = [root]
            while stack:
                here = stack.pop()
                entered[here] = len(order)
                order.append(here)
                for there, road in near[here]:
                    if home[there] < 0:
                        home[there], above[there], way[there] = root, here, road
                        stack.append(there)
        lowest, sizes = entered[:], [1] * n
        best = [-1, 0]
        bridges = []
        for here in reversed(order):
            for there, road in near[here]:
                if road != way[here]:
                    lowest[here] = min(lowest[here], lowest[there] if way[there] == road else entered[there])
            if way[here] >= 0:
                sizes[above[here]] += sizes[here]
                if lowest[here] == entered[here]:
                    bridges.append(here)
        for here in bridges:
            cut = sizes[here] * (sizes[home[here]] - sizes[here])
            if cut > best[1] or cut == best[1] and way[here] < best[0]:
                best = [way[here], cut]
        return best
