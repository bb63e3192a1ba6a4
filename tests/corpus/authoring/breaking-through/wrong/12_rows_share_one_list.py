from collections import deque


class Solution:
    def solve(self, grid, k):
        rows, cols = len(grid), len(grid[0])
        best = [[-1] * cols] * rows
        best[0][0] = k
        queue = deque([(0, 0, k, 0)])
        while queue:
            r, c, left, steps = queue.popleft()
            if r == rows - 1 and c == cols - 1:
                return steps
            for a, b in ((r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1)):
                if 0 <= a < rows and 0 <= b < cols and left - grid[a][b] > best[a][b]:
                    best[a][b] = left - grid[a][b]
                    queue.append((a, b, best[a][b], steps + 1))
        return -1
