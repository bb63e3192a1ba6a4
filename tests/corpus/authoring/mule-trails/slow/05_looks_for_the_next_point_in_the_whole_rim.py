class Solution:
    def solve(self, heights, left, right, duration, rest, climbs, start, goal):
        trails = list(zip(left, right, duration))
        n = len(heights)
        ways = [[] for _ in range(n)]
        for a, b, minutes in trails:
            ways[a].append((b, minutes))
            ways[b].append((a, minutes))
        rim = {(start, 0): 0}
        done = set()
        while rim:
            state = min(rim, key=rim.get)
            time = rim.pop(state)
            done.add(state)
            a, climbed = state
            if a == goal:
                return time
            if rest[a] >= 0 and (a, 0) not in done:
                rim[a, 0] = min(time + rest[a], rim.get((a, 0), time + rest[a]))
            for b, minutes in ways[a]:
                if heights[b] > heights[a]:
                    count = climbed + 1
                elif heights[b] < heights[a]:
                    count = 0
                else:
                    count = climbed
                if count <= climbs and (b, count) not in done:
                    then = time + minutes
                    if then < rim.get((b, count), then + 1):
                        rim[b, count] = then
        return -1
