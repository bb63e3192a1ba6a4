import heapq


class Solution:
    def solve(self, n, flights, start, goal, stops):
        near = [[] for _ in range(n)]
        for u, v, price in flights:
            near[u].append((v, price))
        done, heap = set(), [(0, 0, start)]
        while heap:
            cost, used, city = heapq.heappop(heap)
            if city == goal:
                return cost
            if city in done or used > stops:
                continue
            done.add(city)
            for other, price in near[city]:
                heapq.heappush(heap, (cost + price, used + 1, other))
        return -1
