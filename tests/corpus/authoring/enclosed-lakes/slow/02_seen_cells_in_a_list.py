class Solution:
    def solve(self, grid):
        rows, cols = len(grid), len(grid[0])
        seen, lakes = [], 0
        for i in range(rows):
            for j in range(cols):
                if grid[i][j] or (i, j) in seen:
                    continue
                inside, todo = True, [(i, j)]
                seen.append((i, j))
                for r, c in todo:
                    inside = inside and 0 < r < rows - 1 and 0 < c < cols - 1
                    for at in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                        if 0 <= at[0] < rows and 0 <= at[1] < cols and not grid[at[0]][at[1]] and at not in seen:
                            seen.append(at)
                            todo.append(at)
                lakes += inside
        return lakes
