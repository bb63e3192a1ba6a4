from heapq import heappop, heappush


class Solution:
    def solve(self, n, links, source):
        out = [[] for _ in range(n)]
        for u, v, t in links:
            out[u].append((v, t))
        times = [10**6] * n
        times[source] = 0
        heap = [(0, source)]
        while heap:
            now, u = heappop(heap)
            if now > times[u]:
                continue
            for v, t in out[u]:
                if now + t < times[v]:
                    times[v] = now + t
                    heappush(heap, (now + t, v))
        last = max(times)
        return -1 if last == 10**6 else last
