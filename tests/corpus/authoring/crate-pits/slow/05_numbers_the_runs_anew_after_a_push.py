class Solution:
    def solve(self, grid, row, col, strength, moves):
        cells = [list(line) for line in grid]
        height, width = len(cells), len(cells[0])
        first, last = {}, {}

        def number(line):
            """Find the first and the last crate of each run of crates in a row or column."""
            n = len(line)
            firsts, lasts = [0] * n, [0] * n
            for i in range(n):
                firsts[i] = firsts[i - 1] if i and line[i - 1] == line[i] == "c" else i
            for i in range(n - 1, -1, -1):
                lasts[i] = lasts[i + 1] if i < n - 1 and line[i + 1] == line[i] == "c" else i
            return firsts, lasts

        for r in range(height):
            first["row", r], last["row", r] = number(cells[r])
        for c in range(width):
            first["col", c], last["col", c] = number([line[c] for line in cells])
        results = []
        for move in moves:
            dr, dc = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}[move]
            r, c = row + dr, col + dc
            count = 0
            if 0 <= r < height and 0 <= c < width and cells[r][c] == "c":
                runs = last if dr + dc > 0 else first
                if dc:
                    count = abs(runs["row", r][c] - c) + 1
                else:
                    count = abs(runs["col", c][r] - r) + 1
                r, c = r + dr * count, c + dc * count
            if not (0 <= r < height and 0 <= c < width) or cells[r][c] == "#" or count > strength:
                results.append(-1)
                continue
            if count == 0:
                if cells[r][c] == "p":
                    results.append(-1)
                    continue
            else:
                cells[r][c] = "." if cells[r][c] == "p" else "c"
                cells[row + dr][col + dc] = "."
                for y, x in ((r, c), (row + dr, col + dc)):
                    if dr or (y, x) == (r, c):
                        first["row", y], last["row", y] = number(cells[y])
                    if dc or (y, x) == (r, c):
                        first["col", x], last["col", x] = number([line[x] for line in cells])
            row, col = row + dr, col + dc
            results.append(count)
        return results
