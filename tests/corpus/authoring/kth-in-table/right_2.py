import heapq


class Solution:
    def solve(self, table, k):
        heap = [(row[0], i, 0) for i, row in enumerate(table[:k])]
        for _ in range(k - 1):
            value, i, j = heap[0]
            if j + 1 < len(table[i]):
                heapq.heapreplace(heap, (table[i][j + 1], i, j + 1))
            else:
                heapq.heappop(heap)
        return heap[0][0]
