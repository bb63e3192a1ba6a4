from heapq import heappop, heappush


class Solution:
    def solve(self, heights, left, right, duration, rest, climbs, start, goal):
        trails = list(zip(left, right, duration))
        n = len(heights)
        ways = [[] for _ in range(n)]
        for a, b, minutes in trails:
            slope = (heights[b] > heights[a]) - (heights[b] < heights[a])
            ways[a].append((b, minutes, slope))
            ways[b].append((a, minutes, -slope))
        fewest = [climbs + 1] * n
        heap = [(0, 0, start)]
        while heap:
            time, climbed, a = heappop(heap)
            if a == goal:
                return time
            if climbed and rest[a] >= 0 and fewest[a] > 0:
                fewest[a] = 0
                heappush(heap, (time + rest[a], 0, a))
            for b, minutes, slope in ways[a]:
                count = climbed + 1 if slope > 0 else 0 if slope < 0 else climbed
                if count < fewest[b]:
                    fewest[b] = count
                    heappush(heap, (time + minutes, count, b))
        return -1
