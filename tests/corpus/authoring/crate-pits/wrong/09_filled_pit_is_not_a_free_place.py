from bisect import bisect_left, insort


class Solution:
    def solve(self, grid, row, col, strength, moves):
        height, width = len(grid), len(grid[0])
        cells = [list(line) for line in grid]
        in_row = [[c for c in range(width) if grid[r][c] in ".#"] for r in range(height)]
        in_col = [[r for r in range(height) if grid[r][c] != "c"] for c in range(width)]

        def take(places, x):
            del places[bisect_left(places, x)]

        def sign(r, c):
            return cells[r][c] if 0 <= r < height and 0 <= c < width else "#"

        results = []
        for move in moves:
            dr, dc = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}[move]
            r, c = row + dr, col + dc
            pushed = 0
            if sign(r, c) == "c":
                places = in_row[r] if dc else in_col[c]
                i = bisect_left(places, c if dc else r)
                if dr + dc < 0:
                    i -= 1
                if not 0 <= i < len(places):
                    results.append(-1)
                    continue
                er, ec = (r, places[i]) if dc else (places[i], c)
                pushed = abs(er - r) + abs(ec - c)
                if pushed > strength or cells[er][ec] == "#":
                    results.append(-1)
                    continue
                cells[r][c] = "."
                insort(in_row[r], c)
                insort(in_col[c], r)
                if cells[er][ec] == "p":
                    cells[er][ec] = "."
                else:
                    cells[er][ec] = "c"
                    take(in_row[er], ec)
                    take(in_col[ec], er)
            elif sign(r, c) != ".":
                results.append(-1)
                continue
            row, col = r, c
            results.append(pushed)
        return results
