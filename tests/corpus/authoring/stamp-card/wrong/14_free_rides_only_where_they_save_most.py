from heapq import heappop, heappush


class Solution:
    def solve(self, n, lines, k):
        near = [[] for _ in range(n)]
        for a, b, price in lines:
            near[a].append((b, price))
            near[b].append((a, price))
        most = [-1] * n
        heap = [(0, 0, 0, 0)]
        while heap:
            cost, rides, town, stamps = heappop(heap)
            if town == n - 1:
                return [cost, rides]
            if stamps <= most[town]:
                continue
            most[town] = stamps
            dearest = max(price for _, price in near[town]) if near[town] else 0
            for other, price in near[town]:
                heappush(heap, (cost + price, rides + 1, other, min(k, stamps + (price > 0))))
                if stamps == k and price == dearest:
                    heappush(heap, (cost, rides + 1, other, 0))
        return []
