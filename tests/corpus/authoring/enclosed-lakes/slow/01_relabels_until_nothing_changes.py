class Solution:
    def solve(self, grid):
        rows, cols = len(grid), len(grid[0])
        label = [[-1 if grid[r][c] else r * cols + c + 1 for c in range(cols)] for r in range(rows)]
        changed = True
        while changed:
            changed = False
            for r in range(rows - 1, -1, -1):
                for c in range(cols - 1, -1, -1):
                    if label[r][c] < 0:
                        continue
                    best = label[r][c]
                    for a, b in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                        near = label[a][b] if 0 <= a < rows and 0 <= b < cols else 0
                        if 0 <= near < best:
                            best = near
                    if best != label[r][c]:
                        label[r][c], changed = best, True
        return len({x for row in label for x in row if x > 0})
