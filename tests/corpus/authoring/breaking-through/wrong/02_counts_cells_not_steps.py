from collections import deque


class Solution:
    def solve(self, grid, k):
        rows, cols = len(grid), len(grid[0])
        queue, seen = deque([(0, 0, k, 1)]), {(0, 0, k)}
        while queue:
            r, c, left, steps = queue.popleft()
            if r == rows - 1 and c == cols - 1:
                return steps
            for a, b in ((r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1)):
                if 0 <= a < rows and 0 <= b < cols:
                    state = (a, b, left - grid[a][b])
                    if state[2] >= 0 and state not in seen:
                        seen.add(state)
                        queue.append((*state, steps + 1))
        return -1
