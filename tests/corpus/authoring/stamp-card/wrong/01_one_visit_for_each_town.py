from heapq import heappop, heappush


class Solution:
    def solve(self, n, lines, k):
        near = [[] for _ in range(n)]
        for a, b, price in lines:
            near[a].append((b, price))
            near[b].append((a, price))
        # A card with more stamps is never worse, so a town needs a visit only with more than before.
        most = [-1] * n
        heap = [(0, 0, 0, 0)]
        while heap:
            cost, rides, town, stamps = heappop(heap)
            if town == n - 1:
                return [cost, rides]
            if most[town] >= 0:
                continue
            most[town] = stamps
            for other, price in near[town]:
                after = min(k, stamps + (price > 0))
                if most[other] < 0:
                    heappush(heap, (cost + price, rides + 1, other, after))
                if stamps == k and most[other] < 0:
                    heappush(heap, (cost, rides + 1, other, 0))
        return []
