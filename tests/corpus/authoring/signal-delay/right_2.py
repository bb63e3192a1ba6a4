class Solution:
    def solve(self, n, links, source):
        best = {}
        for u, v, t in links:
            best.setdefault(u, {})
            best[u][v] = min(t, best[u].get(v, t))
        times, open_times = {}, {source: 0}
        while open_times:
            u = min(open_times, key=open_times.get)
            times[u] = now = open_times.pop(u)
            for v, t in best.get(u, {}).items():
                if v not in times and now + t < open_times.get(v, 10**18):
                    open_times[v] = now + t
        return -1 if len(times) < n else max(times.values())
