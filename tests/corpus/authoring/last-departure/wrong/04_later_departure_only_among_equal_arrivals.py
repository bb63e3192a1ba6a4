from heapq import heappop, heappush


class Solution:
    def solve(self, n, rides, start, goal, ready, change):
        if start == goal:
            return [ready, ready]
        out = [[] for _ in range(n)]
        for ride in rides:
            out[ride[0]].append(ride)
        done = [False] * n
        heap = [(ready, 0, start)]
        while heap:
            moment, departure, a = heappop(heap)
            if done[a]:
                continue
            done[a] = True
            if a == goal:
                return [moment, -departure]
            for _, b, first, period, count, duration in out[a]:
                if done[b]:
                    continue
                able = moment if a == start else moment + change
                turn = max(0, (able - first + period - 1) // period)
                if turn >= count:
                    continue
                leave = first + turn * period
                heappush(heap, (leave + duration, -leave if a == start else departure, b))
        return []
