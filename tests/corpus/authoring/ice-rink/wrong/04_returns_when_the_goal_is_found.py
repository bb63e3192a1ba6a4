class Solution:
    def solve(self, rink, start, goal, reach):
        rows, columns = len(rink), len(rink[0])
        target = tuple(goal)
        layer = {tuple(start): 0}
        seen = set()
        if start == goal:
            return [0, 0]
        pushes = 0
        while layer:
            seen.update(layer)
            later = {}
            for (row, column), cells in layer.items():
                for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                    r, c, slid = row, column, 0
                    while slid < reach:
                        nr, nc = r + dr, c + dc
                        if not (0 <= nr < rows and 0 <= nc < columns) or rink[nr][nc] == "#":
                            break
                        r, c, slid = nr, nc, slid + 1
                    if slid == 0 or (r, c) in seen:
                        continue
                    if (r, c) == target:
                        return [pushes + 1, cells + slid]
                    if (r, c) not in later or cells + slid < later[r, c]:
                        later[r, c] = cells + slid
            layer = later
            pushes += 1
        return []
