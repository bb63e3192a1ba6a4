class Solution:
    def solve(self, n, roads):
        near = [[] for _ in range(n)]
        for road, (a, b) in enumerate(roads):
            near[a].append((b, road))
            near[b].append((a, road))
        entered, lowest, sizes = [-1] * n, [0] * n, [1] * n
        best, pairs, time = -1, 0, 0
        for root in range(n):
            if entered[root] >= 0:
                continue
            first = time
            entered[root] = lowest[root] = time
            time += 1
            bridges = []
            path = [(root, -1, iter(near[root]))]
            while path:
                here, way, rest = path[-1]
                for there, road in rest:
                    if road == way:
                        continue
                    if entered[there] < 0:
                        entered[there] = lowest[there] = time
                        time += 1
                        path.append((there, road, iter(near[there])))
                        break
                    lowest[here] = min(lowest[here], entered[there])
                else:
                    path.pop()
                    if path:
                        above = path[-1][0]
                        sizes[above] += sizes[here]
                        lowest[above] = min(lowest[above], lowest[here])
                        if lowest[here] > entered[above]:
                            bridges.append((sizes[here] * (time - first - sizes[here]), way))
            for cut, road in bridges:
                if cut > pairs or cut == pairs and road < best:
                    best, pairs = road, cut
        return [best, pairs]
