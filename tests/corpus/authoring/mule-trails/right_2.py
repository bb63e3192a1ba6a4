from heapq import heappop, heappush


class Solution:
    def solve(self, heights, left, right, duration, rest, climbs, start, goal):
        trails = list(zip(left, right, duration))
        # From the goal backwards: room is the number of climbs that the mule must still be able to do.
        if start == goal:
            return 0
        n = len(heights)
        into = [[] for _ in range(n)]
        for a, b, minutes in trails:
            into[b].append((a, minutes))
            into[a].append((b, minutes))
        least = [climbs + 1] * n
        heap = [(0, 0, goal)]
        while heap:
            time, room, b = heappop(heap)
            if room >= least[b]:
                continue
            if b == start:
                return time
            least[b] = room
            if room and rest[b] >= 0:
                heappush(heap, (time + rest[b], 0, b))
            for a, minutes in into[b]:
                if heights[b] > heights[a]:
                    need = room + 1
                elif heights[b] < heights[a]:
                    need = 0
                else:
                    need = room
                if need < least[a]:
                    heappush(heap, (time + minutes, need, a))
        return -1
