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
        # Who comes later helps only if the mule has fewer climbs behind it.
        fewest = [climbs + 1] * n
        best = [10**9] * (4 * n)
        heap = [(0, 0, start)]
        while heap:
            time, climbed, a = heappop(heap)
            if climbed >= fewest[a]:
                continue
            if a == goal:
                return time
            fewest[a] = climbed
            if climbed and rest[a] >= 0:
                heappush(heap, (time + rest[a], 0, a))
            for b, minutes, slope in ways[a]:
                count = climbed + 1 if slope > 0 else 0 if slope < 0 else climbed
                if count < fewest[b]:
                    then = time + minutes
                    state = b * 4 + count
                    if then < best[state]:
                        best[state] = then
                        heappush(heap, (then, count, b))
        return -1
