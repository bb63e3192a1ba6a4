class Solution:
    def solve(self, grid):
        rows, cols = len(grid), len(grid[0])
        outside = rows * cols
        parent = list(range(outside + 1))

        def find(x):
            while parent[x] != x:
                parent[x] = parent[parent[x]]
                x = parent[x]
            return x

        for r in range(rows):
            for c in range(cols):
                if grid[r][c]:
                    continue
                here = r * cols + c
                if r in (0, rows - 1) or c in (0, cols - 1):
                    parent[find(here)] = find(outside)
                if r and not grid[r - 1][c]:
                    parent[here] = find(here - cols)
                if c and not grid[r][c - 1]:
                    parent[here] = find(here - 1)
        roots = {find(r * cols + c) for r in range(rows) for c in range(cols) if not grid[r][c]}
        return len(roots - {find(outside)})
