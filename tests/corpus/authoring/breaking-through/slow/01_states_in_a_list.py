class Solution:
    def solve(self, grid, k):
        rows, cols = len(grid), len(grid[0])
        states, steps = [(0, 0, k)], [0]
        for state, now in zip(states, steps):
            r, c, left = state
            if r == rows - 1 and c == cols - 1:
                return now
            for a, b in ((r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1)):
                if 0 <= a < rows and 0 <= b < cols and left >= grid[a][b]:
                    new = (a, b, left - grid[a][b])
                    if new not in states:
                        states.append(new)
                        steps.append(now + 1)
        return -1
