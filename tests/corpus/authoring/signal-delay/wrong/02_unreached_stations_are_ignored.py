from heapq import heappop, heappush


class Solution:
    def solve(self, n, links, source):
        out = [[] for _ in range(n)]
        for u, v, t in links:
            out[u].append((v, t))
        times, heap = {}, [(0, source)]
        while heap:
            now, u = heappop(heap)
            if u in times:
                continue
            times[u] = now
            for v, t in out[u]:
                if v not in times:
                    heappush(heap, (now + t, v))
        return max(times.values())
