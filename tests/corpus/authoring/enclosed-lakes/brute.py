class Solution:
    def solve(self, grid):
        cells = {(r, c): r * len(row) + c for r, row in enumerate(grid) for c, x in enumerate(row) if x == 0}
        changed = True
        while changed:
            changed = False
            for r, c in cells:
                near = [cells[at] for at in ((r, c), (r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)) if at in cells]
                if min(near) != cells[r, c]:
                    cells[r, c] = min(near)
                    changed = True
        edge = {cells[r, c] for r, c in cells if r in (0, len(grid) - 1) or c in (0, len(grid[0]) - 1)}
        return len(set(cells.values()) - edge)
