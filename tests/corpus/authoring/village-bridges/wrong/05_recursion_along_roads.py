class Solution:
    def solve(self, n, roads):
        near = [[] for _ in range(n)]
        for road, (a, b) in enumerate(roads):
            near[a].append((b, road))
            near[b].append((a, road))
        entered, lowest, members = [-1] * n, [0] * n, []

        def enter(here, way):
            entered[here] = lowest[here] = len(members)
            members.append(here)
            for there, road in near[here]:
                if road == way:
                    continue
                if entered[there] < 0:
                    enter(there, road)
                    lowest[here] = min(lowest[here], lowest[there])
                else:
                    lowest[here] = min(lowest[here], entered[there])
            if way >= 0 and lowest[here] == entered[here]:
                bridges.append((len(members) - entered[here], way))

        best = [-1, 0]
        for root in range(n):
            if entered[root] < 0:
                first, bridges = len(members), []
                enter(root, -1)
                for size, road in bridges:
                    cut = size * (len(members) - first - size)
                    if cut > best[1] or cut == best[1] and road < best[0]:
                        best = [road, cut]
        return best
