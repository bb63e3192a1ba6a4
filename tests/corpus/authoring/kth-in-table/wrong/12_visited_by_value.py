import heapq


class Solution:
    def solve(self, table, k):
        heap, seen = [(table[0][0], 0, 0)], {table[0][0]}
        last = table[0][0]
        for _ in range(k):
            if not heap:
                break
            last, i, j = heapq.heappop(heap)
            for a, b in ((i + 1, j), (i, j + 1)):
                if a < len(table) and b < len(table[0]) and table[a][b] not in seen:
                    seen.add(table[a][b])
                    heapq.heappush(heap, (table[a][b], a, b))
        return last
