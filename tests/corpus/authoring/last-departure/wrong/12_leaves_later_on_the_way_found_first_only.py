from heapq import heappop, heappush


class Solution:
    def solve(self, n, rides, start, goal, ready, change):
        if start == goal:
            return [ready, ready]
        out = [[] for _ in range(n)]
        into = [[] for _ in range(n)]
        for a, b, first, period, count, duration in rides:
            out[a].append((b, first, period, count, duration))
            into[b].append((a, first, period, count, duration))
        end = None
        done = [False] * n
        before = [None] * n
        heap = [(ready, start, None)]
        while heap:
            moment, a, ride = heappop(heap)
            if done[a]:
                continue
            done[a] = True
            before[a] = ride
            if a == goal:
                end = moment
                break
            able = moment if a == start else moment + change
            for b, first, period, count, duration in out[a]:
                turn = max(0, -((first - able) // period))
                if turn < count and not done[b]:
                    heappush(heap, (first + turn * period + duration, b, (a, first, period, count, duration)))
        if end is None:
            return []
        moment, station = end, goal
        while True:
            a, first, period, count, duration = before[station]
            departure = first + min(count - 1, (moment - duration - first) // period) * period
            if a == start:
                return [end, departure]
            moment, station = departure - change, a
