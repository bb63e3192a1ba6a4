class Solution:
    def solve(self, stones, reach):
        rows, columns = len(stones), len(stones[0])
        up_to = [[0] * columns for _ in stones]
        on_from = [[0] * columns for _ in stones]
        steps = []
        for r in range(rows):
            for c in range(columns):
                for y, x in ((r - 1, c), (r + 1, c), (r, (c - 1) % columns), (r, (c + 1) % columns)):
                    if 0 <= y < rows:
                        steps.append((r, c, y, x))
        changed = True
        while changed:
            changed = False
            for r, c, y, x in steps:
                if not 0 < stones[y][x] - stones[r][c] <= reach:
                    continue
                if up_to[r][c] >= up_to[y][x]:
                    up_to[y][x] = up_to[r][c] + 1
                    changed = True
                if on_from[y][x] >= on_from[r][c]:
                    on_from[r][c] = on_from[y][x] + 1
                    changed = True
        best = max(map(max, up_to))
        for r, c, y, x in steps:
            if stones[y][x] <= stones[r][c]:
                best = max(best, up_to[r][c] + 1 + on_from[y][x])
        return best
