from collections import deque


class Solution:
    def solve(self, heights, left, right, duration, rest, climbs, start, goal):
        trails = list(zip(left, right, duration))
        n = len(heights)
        ways = [[] for _ in range(n)]
        for a, b, minutes in trails:
            ways[a].append((b, minutes))
            ways[b].append((a, minutes))
        best = {(start, 0): 0}
        queue = deque([(start, 0)])
        waiting = {(start, 0)}
        while queue:
            state = queue.popleft()
            waiting.remove(state)
            a, climbed = state
            time = best[state]
            after = []
            if climbed and rest[a] >= 0:
                after.append(((a, 0), time + rest[a]))
            for b, minutes in ways[a]:
                if heights[b] > heights[a]:
                    count = climbed + 1
                elif heights[b] < heights[a]:
                    count = 0
                else:
                    count = climbed
                if count <= climbs:
                    after.append(((b, count), time + minutes))
            for there, then in after:
                if there not in best or then < best[there]:
                    best[there] = then
                    if there not in waiting:
                        waiting.add(there)
                        queue.append(there)
        return min((best[goal, k] for k in range(climbs + 1) if (goal, k) in best), default=-1)
