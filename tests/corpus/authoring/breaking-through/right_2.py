class Solution:
    def solve(self, grid, k):
        rows, cols = len(grid), len(grid[0])
        most = {(0, 0): k}
        level, steps = [(0, 0)], 0
        while level:
            if (rows - 1, cols - 1) in most:
                return steps
            after = {}
            for r, c in level:
                for at in ((r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1)):
                    if 0 <= at[0] < rows and 0 <= at[1] < cols:
                        left = most[r, c] - grid[at[0]][at[1]]
                        if left > max(most.get(at, -1), after.get(at, -1)):
                            after[at] = left
            most.update(after)
            level, steps = list(after), steps + 1
        return -1
