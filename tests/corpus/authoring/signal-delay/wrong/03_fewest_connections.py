from collections import deque


class Solution:
    def solve(self, n, links, source):
        out = [[] for _ in range(n)]
        for u, v, t in links:
            out[u].append((v, t))
        times, queue = {source: 0}, deque([source])
        while queue:
            u = queue.popleft()
            for v, t in out[u]:
                if v not in times:
                    times[v] = times[u] + t
                    queue.append(v)
        return max(times.values()) if len(times) == n else -1
