class Solution:
    def solve(self, rink, start, goal, reach):
        rows, columns = len(rink), len(rink[0])
        best = {tuple(start): (0, 0)}
        stack = [tuple(start)]
        while stack:
            row, column = stack.pop()
            pushes, cells = best[row, column]
            for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                r, c, slid = row, column, 0
                while (
                    slid < reach
                    and 0 <= r + dr < rows
                    and 0 <= c + dc < columns
                    and rink[r + dr][c + dc] == "."
                ):
                    r, c, slid = r + dr, c + dc, slid + 1
                value = (pushes + 1, cells + slid)
                if slid and ((r, c) not in best or value < best[r, c]):
                    best[r, c] = value
                    stack.append((r, c))
        return list(best.get(tuple(goal), ()))
