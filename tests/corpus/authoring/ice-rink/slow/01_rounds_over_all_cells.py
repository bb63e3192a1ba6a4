class Solution:
    def solve(self, rink, start, goal, reach):
        rows, columns = len(rink), len(rink[0])
        best = {tuple(start): (0, 0)}
        while True:
            new = dict(best)
            for row in range(rows):
                for column in range(columns):
                    for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                        r, c, slid = row, column, 0
                        while (
                            slid < reach
                            and 0 <= r + dr < rows
                            and 0 <= c + dc < columns
                            and rink[r + dr][c + dc] == "."
                        ):
                            r, c, slid = r + dr, c + dc, slid + 1
                        if slid and (row, column) in best:
                            pushes, cells = best[row, column]
                            value = (pushes + 1, cells + slid)
                            if (r, c) not in new or value < new[r, c]:
                                new[r, c] = value
            if new == best:
                return list(best.get(tuple(goal), ()))
            best = new
