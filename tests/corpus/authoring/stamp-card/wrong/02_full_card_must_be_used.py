from heapq import heappop, heappush

RIDES = 10**6


class Solution:
    def solve(self, n, lines, k):
        near = [[] for _ in range(n)]
        for a, b, price in lines:
            near[a].append((b, price))
            if a != b:
                near[b].append((a, price))
        size = k + 1
        best = [None] * (n * size)
        best[0] = 0
        heap = [(0, 0)]
        while heap:
            key, state = heappop(heap)
            if key > best[state]:
                continue
            town, stamps = divmod(state, size)
            if town == n - 1:
                return list(divmod(key, RIDES))
            for other, price in near[town]:
                if stamps == k and price:
                    reached, to = key + 1, other * size
                else:
                    reached, to = key + price * RIDES + 1, other * size + stamps + (price > 0)
                if best[to] is None or reached < best[to]:
                    best[to] = reached
                    heappush(heap, (reached, to))
        return []
