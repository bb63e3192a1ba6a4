from heapq import heappop, heappush


class Solution:
    def solve(self, n, links, source):
        out = [[] for _ in range(n)]
        for u, v, t in links:
            out[u].append((t, v))
        times, heap = {source: 0}, [(0, source)]
        while heap:
            now, u = heappop(heap)
            for t, v in sorted(out[u]):
                if v not in times:
                    times[v] = now + t
                    heappush(heap, (now + t, v))
        return max(times.values()) if len(times) == n else -1
