from heapq import heappop, heappush


class Solution:
    def solve(self, n, cables):
        near = [[] for _ in range(n)]
        for a, b, price in cables:
            near[a].append((price, b))
            near[b].append((price, a))
        seen, heap, total = set(), [(0, 0, 0)], 0
        while heap:
            far, price, node = heappop(heap)
            if node not in seen:
                seen.add(node)
                total += price
                for cost, other in near[node]:
                    heappush(heap, (far + cost, cost, other))
        return total
