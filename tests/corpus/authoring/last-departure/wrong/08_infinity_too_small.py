from heapq import heappop, heappush

INFINITY = 10**9


class Solution:
    def solve(self, n, rides, start, goal, ready, change):
        if start == goal:
            return [ready, ready]
        out = [[] for _ in range(n)]
        into = [[] for _ in range(n)]
        for ride in rides:
            out[ride[0]].append(ride)
            into[ride[1]].append(ride)
        arrival = [INFINITY] * n
        arrival[start] = ready
        heap = [(ready, start)]
        while heap:
            moment, a = heappop(heap)
            if moment > arrival[a]:
                continue
            able = moment if a == start else moment + change
            for _, b, first, period, count, duration in out[a]:
                turn = max(0, -((first - able) // period))
                then = first + turn * period + duration
                if turn < count and then < arrival[b]:
                    arrival[b] = then
                    heappush(heap, (then, b))
        if arrival[goal] == INFINITY:
            return []
        latest = [-INFINITY] * n
        latest[goal] = arrival[goal]
        heap = [(-latest[goal], goal)]
        while heap:
            moment, b = heappop(heap)
            if -moment < latest[b]:
                continue
            for a, _, first, period, count, duration in into[b]:
                turn = min(count - 1, (latest[b] - duration - first) // period)
                if turn < 0:
                    continue
                then = first + turn * period - (0 if a == start else change)
                if then > latest[a]:
                    latest[a] = then
                    heappush(heap, (-then, a))
        return [arrival[goal], latest[start]]
