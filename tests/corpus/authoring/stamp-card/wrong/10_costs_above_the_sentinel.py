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
        best = [10**15] * (n * size)
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
                there = other * size
                reached = key + price * RIDES + 1
                to = there + (stamps + 1 if price and stamps < k else stamps)
                if reached < best[to]:
                    best[to] = reached
                    heappush(heap, (reached, to))
                if stamps == k and price and key + 1 < best[there]:
                    best[there] = key + 1
                    heappush(heap, (key + 1, there))
        return []
