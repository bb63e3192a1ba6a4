class Solution:
    def solve(self, grid):
        rows, cols = len(grid), len(grid[0])
        seen = set()

        def fill(r, c):
            if not (0 <= r < rows and 0 <= c < cols):
                return False
            if grid[r][c] or (r, c) in seen:
                return True
            seen.add((r, c))
            return all([fill(r + 1, c), fill(r - 1, c), fill(r, c + 1), fill(r, c - 1)])

        return sum(fill(r, c) for r in range(rows) for c in range(cols) if not grid[r][c] and (r, c) not in seen)
