class Solution:
    def solve(self, grid, row, col, strength, moves):
        height, width = len(grid), len(grid[0])
        rows = [bytearray(line, "ascii") for line in grid]
        cols = [bytearray("".join(line), "ascii") for line in zip(*grid)]
        floor, wall, crate, pit = b".#cp"

        def write(r, c, sign):
            rows[r][c] = sign
            cols[c][r] = sign

        results = []
        for move in moves:
            if move in "LR":
                line, at, size = rows[row], col, width
            else:
                line, at, size = cols[col], row, height
            step = 1 if move in "RD" else -1
            near = at + step
            if not 0 <= near < size or line[near] == wall or line[near] == pit:
                results.append(-1)
                continue
            pushed = 0
            if line[near] == crate:
                if step > 0:
                    end = min(size, near + strength + 1)
                    end = min((x for x in (line.find(sign, near, end) for sign in b".p") if x >= 0), default=-1)
                    if end > line.find(wall, near):
                        end = -1
                else:
                    start = max(0, near - strength)
                    end = -1
                    for sign in b".#p":
                        found = line.rfind(sign, start, near)
                        if found >= 0:
                            end = start = found
                if end < 0 or line[end] == wall:
                    results.append(-1)
                    continue
                pushed = abs(end - near)
                sign = floor if line[end] == pit else crate
                if move in "LR":
                    write(row, end, sign)
                    write(row, near, floor)
                else:
                    write(end, col, sign)
                    write(near, col, floor)
            if move in "LR":
                col = near
            else:
                row = near
            results.append(pushed)
        return results
