from bisect import bisect_left, insort
from heapq import heappop, heappush


class Solution:
    def solve(self, piers, limit, ships):
        n = len(ships)
        line = sorted(range(n), key=lambda i: (ships[i][0], -ships[i][1], i))
        ranks = sorted(range(n), key=lambda i: (-ships[i][1], ships[i][0], i))
        in_line, in_ranks = [0] * n, [0] * n
        for place, i in enumerate(line):
            in_line[i] = place
        for place, i in enumerate(ranks):
            in_ranks[i] = place
        by_line, by_rank = [], []
        results = [[-1, -1] for _ in range(n)]
        events = [(ship[0], 1, i) for i, ship in enumerate(ships)]
        events += [(ship[0] + ship[3] + 1, 0, i) for i, ship in enumerate(ships)]
        events.sort(reverse=True)
        here = [False] * n
        free = list(range(min(piers, n)))
        busy = []

        def away(i):
            here[i] = False
            del by_line[bisect_left(by_line, in_line[i])]
            del by_rank[bisect_left(by_rank, in_ranks[i])]

        while events or (busy and by_line):
            now = min([each[0] for each in events[-1:] + busy[:1]])
            while busy and busy[0][0] <= now:
                insort(free, heappop(busy)[1])
            while events and events[-1][0] == now:
                _, comes, i = events.pop()
                if comes:
                    here[i] = True
                    insort(by_line, in_line[i])
                    insort(by_rank, in_ranks[i])
                elif here[i]:
                    away(i)
            while free and by_line:
                i = line[by_line[0]]
                if ships[i][0] + limit > now:
                    i = ranks[by_rank[0]]
                away(i)
                results[i] = [free.pop(0), now]
                heappush(busy, (now + ships[i][2], results[i][0]))
        return results
