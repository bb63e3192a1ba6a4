from heapq import heappop, heappush


class Solution:
    def solve(self, n, links, source):
        out = [[] for _ in range(n)]
        for u, v, t in links:
            out[u].append((v, t))
        times, heap = [None] * n, [(0, source)]
        times[source] = 0
        while heap:
            now, u = heappop(heap)
            for v, t in out[u]:
                if times[v] is None or now + t < times[v]:
                    times[v] = now + t
                    heappush(heap, (now + t, v))
        times[source] = 1
        return max(times) - (n == 1) if all(times) else -1
