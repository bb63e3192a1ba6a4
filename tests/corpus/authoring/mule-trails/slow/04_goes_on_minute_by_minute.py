class Solution:
    def solve(self, heights, left, right, duration, rest, climbs, start, goal):
        trails = list(zip(left, right, duration))
        n = len(heights)
        ways = [[] for _ in range(n)]
        for a, b, minutes in trails:
            ways[a].append((b, minutes))
            ways[b].append((a, minutes))
        arrivals = {0: [(start, 0)]}
        seen = set()
        minute = 0
        while arrivals:
            if minute not in arrivals:
                minute += 1
                continue
            now = arrivals[minute]
            for a, climbed in now:
                if (a, climbed) in seen:
                    continue
                seen.add((a, climbed))
                if a == goal:
                    return minute
                if rest[a] >= 0 and (a, 0) not in seen:
                    arrivals.setdefault(minute + rest[a], []).append((a, 0))
                for b, minutes in ways[a]:
                    if heights[b] > heights[a]:
                        count = climbed + 1
                    elif heights[b] < heights[a]:
                        count = 0
                    else:
                        count = climbed
                    if count <= climbs and (b, count) not in seen:
                        arrivals.setdefault(minute + minutes, []).append((b, count))
            del arrivals[minute]
        return -1
