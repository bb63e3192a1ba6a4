from heapq import heappop, heappush


class Solution:
    def solve(self, grid, k):
        rows, cols = len(grid), len(grid[0])
        heap, seen = [(0, 0, 0, 0)], set()
        while heap:
            walls, steps, r, c = heappop(heap)
            if (r, c) in seen:
                continue
            seen.add((r, c))
            if (r, c) == (rows - 1, cols - 1):
                return steps if walls <= k else -1
            for a, b in ((r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1)):
                if 0 <= a < rows and 0 <= b < cols:
                    heappush(heap, (walls + grid[a][b], steps + 1, a, b))
        return -1
