from heapq import heappop, heappush


class Solution:
    def solve(self, n, lines, k):
        near = [[] for _ in range(n)]
        for a, b, price in lines:
            near[a].append((b, price))
            near[b].append((a, price))
        seen = set()
        heap = [(0, 0, 0, 0)]
        while heap:
            cost, rides, missing, town = heappop(heap)
            if town == n - 1:
                return [cost, rides]
            stamps = -missing
            full = stamps == k
            if (town, full) in seen:
                continue
            seen.add((town, full))
            for other, price in near[town]:
                after = min(k, stamps + 1) if price else stamps
                heappush(heap, (cost + price, rides + 1, -after, other))
                if full:
                    heappush(heap, (cost, rides + 1, 0, other))
        return []
