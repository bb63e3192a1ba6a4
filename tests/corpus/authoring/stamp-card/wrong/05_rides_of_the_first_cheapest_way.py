from heapq import heappop, heappush


class Solution:
    def solve(self, n, lines, k):
        near = [[] for _ in range(n)]
        for a, b, price in lines:
            near[a].append((b, price))
            near[b].append((a, price))
        costs = {(0, 0): 0}
        heap = [(0, 0, 0, 0)]
        while heap:
            cost, rides, town, stamps = heappop(heap)
            if cost > costs[town, stamps]:
                continue
            if town == n - 1:
                return [cost, rides]
            for other, price in near[town]:
                moves = [(cost + price, other, min(k, stamps + (price > 0)))]
                if stamps == k:
                    moves.append((cost, other, 0))
                for total, to, after in moves:
                    if (to, after) not in costs or total < costs[to, after]:
                        costs[to, after] = total
                        heappush(heap, (total, rides + 1, to, after))
        return []
