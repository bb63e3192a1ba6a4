class Solution:
    def solve(self, grid):
        rows, cols = len(grid), len(grid[0])
        seen = set()

        def closed(cell):
            r, c = cell
            return all(
                0 <= a < rows and 0 <= b < cols and (grid[a][b] or (a, b) in seen or walk((a, b)))
                for a, b in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1))
            )

        def walk(cell):
            seen.add(cell)
            return closed(cell)

        cells = [(r, c) for r in range(rows) for c in range(cols) if not grid[r][c]]
        return sum(walk(cell) for cell in cells if cell not in seen)
