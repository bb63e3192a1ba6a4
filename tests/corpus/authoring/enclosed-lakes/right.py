class Solution:
    def solve(self, grid):
        rows, cols = len(grid), len(grid[0])
        seen = [[cell == 1 for cell in row] for row in grid]
        lakes = 0
        for i in range(rows):
            for j in range(cols):
                if seen[i][j]:
                    continue
                inside, todo = True, [(i, j)]
                seen[i][j] = True
                while todo:
                    r, c = todo.pop()
                    if r in (0, rows - 1) or c in (0, cols - 1):
                        inside = False
                    for a, b in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                        if 0 <= a < rows and 0 <= b < cols and not seen[a][b]:
                            seen[a][b] = True
                            todo.append((a, b))
                lakes += inside
        return lakes
