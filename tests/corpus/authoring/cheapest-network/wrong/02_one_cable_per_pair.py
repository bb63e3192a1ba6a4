from heapq import heappop, heappush


class Solution:
    def solve(self, n, cables):
        near = [[] for _ in range(n)]
        for (a, b), price in {(min(c[:2]), max(c[:2])): c[2] for c in cables}.items():
            near[a].append((price, b))
            near[b].append((price, a))
        seen, heap, total = set(), [(0, 0)], 0
        while heap:
            price, node = heappop(heap)
            if node in seen:
                continue
            seen.add(node)
            total += price
            for edge in near[node]:
                if edge[1] not in seen:
                    heappush(heap, edge)
        return total
