from heapq import heappop, heappush


class Solution:
    def solve(self, heights, left, right, duration, rest, climbs, start, goal):
        trails = list(zip(left, right, duration))
        n = len(heights)
        ways = [[] for _ in range(n)]
        for a, b, minutes in trails:
            ways[a].append((b, minutes))
            ways[b].append((a, minutes))
        never = float("inf")
        best = [[never] * (climbs + 1) for _ in range(n)]
        best[start][0] = 0
        heap = [(0, start, 0)]
        while heap:
            time, a, climbed = heappop(heap)
            if time > best[a][climbed]:
                continue
            if a == goal:
                return time
            if climbed and rest[a] >= 0 and time + rest[a] < best[a][0]:
                best[a][0] = time + rest[a]
                heappush(heap, (time + rest[a], a, 0))
            for b, minutes in ways[a]:
                if heights[b] > heights[a]:
                    count = climbed + 1
                elif heights[b] < heights[a]:
                    count = 0
                else:
                    count = climbed
                if count <= climbs and time + minutes <= best[b][count]:
                    best[b][count] = time + minutes
                    heappush(heap, (time + minutes, b, count))
        return -1
