class Solution:
    def solve(self, rink, start, goal, reach):
        free = {(r, c) for r, row in enumerate(rink) for c, cell in enumerate(row) if cell == "."}
        best = {tuple(start): (0, 0)}
        for _ in free:
            for (row, column), (pushes, cells) in list(best.items()):
                for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                    line = [(row + dr * k, column + dc * k) for k in range(1, reach + 1)]
                    slid = 0
                    while slid < reach and line[slid] in free:
                        slid += 1
                    if slid:
                        value = (pushes + 1, cells + slid)
                        end = line[slid - 1]
                        best[end] = min(best.get(end, value), value)
        return list(best.get(tuple(goal), ()))
