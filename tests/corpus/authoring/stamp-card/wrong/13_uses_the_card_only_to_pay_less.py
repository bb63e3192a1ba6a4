from heapq import heappop, heappush


class Solution:
    def solve(self, n, lines, k):
        near = [[] for _ in range(n)]
        for a, b, price in lines:
            near[a].append((b, price))
            near[b].append((a, price))
        paid = self.without_card(n, near)
        if not paid:
            return []
        found = self.search(n, near, k)
        return found if found[0] < paid[0] else paid

    def search(self, n, near, k):
        most = [-1] * n
        heap = [(0, 0, 0, 0)]
        while heap:
            cost, rides, town, stamps = heappop(heap)
            if town == n - 1:
                return [cost, rides]
            if stamps <= most[town]:
                continue
            most[town] = stamps
            for other, price in near[town]:
                after = min(k, stamps + (price > 0))
                if after > most[other]:
                    heappush(heap, (cost + price, rides + 1, other, after))
                if stamps == k and most[other] < 0:
                    heappush(heap, (cost, rides + 1, other, 0))
        return []

    def without_card(self, n, near):
        done = set()
        heap = [(0, 0, 0)]
        while heap:
            cost, rides, town = heappop(heap)
            if town == n - 1:
                return [cost, rides]
            if town not in done:
                done.add(town)
                for other, price in near[town]:
                    heappush(heap, (cost + price, rides + 1, other))
        return []
