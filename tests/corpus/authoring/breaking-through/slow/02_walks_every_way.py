class Solution:
    def solve(self, grid, k):
        rows, cols = len(grid), len(grid[0])
        best = -1
        todo = [(0, 0, k, 0, frozenset([(0, 0)]))]
        while todo:
            r, c, left, steps, way = todo.pop()
            if r == rows - 1 and c == cols - 1:
                best = steps if best < 0 else min(best, steps)
                continue
            for a, b in ((r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1)):
                if 0 <= a < rows and 0 <= b < cols and left >= grid[a][b] and (a, b) not in way:
                    todo.append((a, b, left - grid[a][b], steps + 1, way | {(a, b)}))
        return best
