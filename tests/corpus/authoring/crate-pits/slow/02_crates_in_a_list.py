class Solution:
    def solve(self, grid, row, col, strength, moves):
        crates, pits, walls = [], set(), set()
        for r, line in enumerate(grid):
            for c, sign in enumerate(line):
                if sign == "c":
                    crates.append((r, c))
                elif sign == "p":
                    pits.add((r, c))
                elif sign == "#":
                    walls.add((r, c))
        for r in range(-1, len(grid) + 1):
            walls.update([(r, -1), (r, len(grid[0]))])
        for c in range(len(grid[0])):
            walls.update([(-1, c), (len(grid), c)])
        results = []
        for move in moves:
            dr, dc = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}[move]
            near = end = (row + dr, col + dc)
            count = 0
            while count <= strength and end in crates:
                count += 1
                end = (end[0] + dr, end[1] + dc)
            if count > strength or end in walls or (count == 0 and end in pits):
                results.append(-1)
                continue
            if count and end in pits:
                pits.remove(end)
                crates.remove(near)
            elif count:
                crates[crates.index(near)] = end
            row, col = near
            results.append(count)
        return results
