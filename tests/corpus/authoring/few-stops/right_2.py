import heapq


class Solution:
    def solve(self, n, flights, start, goal, stops):
        near = [[] for _ in range(n)]
        for u, v, price in flights:
            near[u].append((v, price))
        fewest = [stops + 2] * n
        heap = [(0, 0, start)]
        while heap:
            cost, used, city = heapq.heappop(heap)
            if city == goal:
                return cost
            if used >= fewest[city]:
                continue
            fewest[city] = used
            if used <= stops:
                for other, price in near[city]:
                    heapq.heappush(heap, (cost + price, used + 1, other))
        return -1
