import heapq


class Solution:
    def solve(self, table, k):
        heap = [(table[0][0], 0, 0)]
        for _ in range(k - 1):
            value, i, j = heapq.heappop(heap)
            if i + 1 < len(table):
                heapq.heappush(heap, (table[i + 1][j], i + 1, j))
            if j + 1 < len(table[0]):
                heapq.heappush(heap, (table[i][j + 1], i, j + 1))
        return heap[0][0]
