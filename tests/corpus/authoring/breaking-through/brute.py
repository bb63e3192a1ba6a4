class Solution:
    def solve(self, grid, k):
        rows, cols = len(grid), len(grid[0])
        cells = [(r, c) for r in range(rows) for c in range(cols)]
        cost = {(r, c, w): 10**9 for r, c in cells for w in range(k + 1)}
        cost[0, 0, 0] = 0
        changed = True
        while changed:
            changed = False
            for (r, c, w), steps in list(cost.items()):
                for a, b in ((r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1)):
                    if (a, b, 0) in cost and w + grid[a][b] <= k and steps + 1 < cost[a, b, w + grid[a][b]]:
                        cost[a, b, w + grid[a][b]] = steps + 1
                        changed = True
        best = min(cost[rows - 1, cols - 1, w] for w in range(k + 1))
        return best if best < 10**9 else -1
