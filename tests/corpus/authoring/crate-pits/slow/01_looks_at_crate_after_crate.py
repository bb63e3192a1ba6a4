class Solution:
    def solve(self, grid, row, col, strength, moves):
        cells = [list(line) for line in grid]
        height, width = len(cells), len(cells[0])
        results = []
        for move in moves:
            dr, dc = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}[move]
            r, c = row + dr, col + dc
            count = 0
            while 0 <= r < height and 0 <= c < width and cells[r][c] == "c" and count <= strength:
                count += 1
                r, c = r + dr, c + dc
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
            row, col = row + dr, col + dc
            results.append(count)
        return results
