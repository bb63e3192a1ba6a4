class Solution:
    def solve(self, maze, most):
        rows, columns = len(maze), len(maze[0])
        never = 10**9
        ways = ((-1, 0), (1, 0), (0, -1), (0, 1))
        free = [(r, c) for r in range(rows) for c in range(columns) if maze[r][c] != "#"]
        best = {(r, c, d, run): never for r, c in free for d in range(4) for run in range(1, most + 1)}
        jumped = {cell: never for cell in free}
        jumped[0, 0] = 0
        changed = True
        while changed:
            changed = False
            least = {}
            for (r, c), steps in jumped.items():
                least[r, c] = min(steps, min(best[r, c, d, run] for d in range(4) for run in range(1, most + 1)))
            for r, c, d, run in best:
                y, x = r - ways[d][0], c - ways[d][1]
                if (y, x) not in jumped:
                    continue
                if run > 1:
                    steps = best[y, x, d, run - 1] + 1
                else:
                    steps = jumped[y, x] + 1
                    for other in range(4):
                        if other != d:
                            for number in range(1, most + 1):
                                steps = min(steps, best[y, x, other, number] + 1)
                if steps < best[r, c, d, run]:
                    best[r, c, d, run] = steps
                    changed = True
            for letter in "abcdef":
                gates = sorted((least[cell], cell) for cell in free if maze[cell[0]][cell[1]] == letter)
                for steps, cell in gates[1:]:
                    if gates[0][0] + 1 < jumped[cell]:
                        jumped[cell] = gates[0][0] + 1
                        changed = True
                if len(gates) > 1 and gates[1][0] + 1 < jumped[gates[0][1]]:
                    jumped[gates[0][1]] = gates[1][0] + 1
                    changed = True
        r, c = rows - 1, columns - 1
        answer = min(jumped[r, c], min(best[r, c, d, run] for d in range(4) for run in range(1, most + 1)))
        return -1 if answer == never else answer
