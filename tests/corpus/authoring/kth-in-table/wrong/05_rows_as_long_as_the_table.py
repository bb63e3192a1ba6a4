import heapq


class Solution:
    def solve(self, table, k):
        n = len(table)
        heap = [(table[0][j], 0, j) for j in range(len(table[0]))]
        for _ in range(k - 1):
            value, i, j = heapq.heappop(heap)
            if i + 1 < len(table[0]):
                heapq.heappush(heap, (table[i + 1][j], i + 1, j))
        return heap[0][0]
