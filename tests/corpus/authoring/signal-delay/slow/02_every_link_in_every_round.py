class Solution:
    def solve(self, n, links, source):
        times = {source: 0}
        for _ in range(n - 1):
            for u, v, t in links:
                if u in times:
                    times[v] = min(times.get(v, times[u] + t), times[u] + t)
        return max(times.values()) if len(times) == n else -1
