from heapq import heappop, heappush


class Solution:
    def solve(self, n, roads, keys, start, goal):
        held = [1 << key if key >= 0 else 0 for key in keys]
        out = [[] for _ in range(n)]
        for u, v, time, key in roads:
            need = 1 << key if key >= 0 else 0
            out[u].append((v, time, need))
            out[v].append((u, time, need))
        first = (start, held[start])
        best = {first: 0}
        heap = [(0, *first)]
        while heap:
            now, city, mask = heappop(heap)
            if city == goal:
                return now
            if best[city, mask] < now:
                continue
            for other, time, need in out[city]:
                if need & mask == need:
                    state = (other, mask | held[other])
                    later = now + time
                    if state not in best:
                        best[state] = later
                        heappush(heap, (later, *state))
        return -1
