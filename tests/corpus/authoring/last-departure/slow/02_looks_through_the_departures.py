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
        heap = [(ready, start)]
        while heap:
            moment, a = heappop(heap)
            if done[a]:
                continue
            done[a] = True
            if a == goal:
                end = moment
                break
            able = moment if a == start else moment + change
            for b, first, period, count, duration in out[a]:
                turn = 0
                while turn < count and first + turn * period < able:
                    turn += 1
                if turn < count and not done[b]:
                    heappush(heap, (first + turn * period + duration, b))
        if end is None:
            return []
        done = [False] * n
        heap = [(-end, goal)]
        while heap:
            moment, b = heappop(heap)
            if done[b]:
                continue
            done[b] = True
            if b == start:
                return [end, -moment]
            for a, first, period, count, duration in into[b]:
                turn = count - 1
                while turn >= 0 and first + turn * period + duration > -moment:
                    turn -= 1
                if turn >= 0 and not done[a]:
                    departure = first + turn * period
                    heappush(heap, (-departure if a == start else change - departure, a))
