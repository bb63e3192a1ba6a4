class Solution:
    def solve(self, maze, most):
        rows, columns = len(maze), len(maze[0])
        width = columns
        cells = "".join(maze) + "#" * (width + 1)
        goal = (rows - 1) * width + columns - 1
        # least[4 * cell + direction]: the fewest steps in a row that a walker arrived with, 0 after a jump
        least = [most + 1] * (4 * len(cells))
        gates = {}
        for cell, sign in enumerate(cells):
            if sign not in ".#":
                gates.setdefault(sign, []).append(cell)
        moves = list(enumerate((-width, width, -1, 1)))
        layer = [(0, -1, 0)]
        steps = 0
        while layer:
            later = []
            for cell, direction, run in layer:
                if cell == goal:
                    return steps
                for d, move in moves:
                    there = cell + move
                    if cells[there] == "#":
                        continue
                    now = run + 1 if d == direction else 1
                    if now < least[4 * there + d]:
                        least[4 * there + d] = now
                        later.append((there, d, now))
                sign = cells[cell]
                if sign != "." and gates[sign]:
                    kept = []
                    for gate in gates[sign]:
                        if gate == cell:
                            kept.append(gate)
                        else:
                            least[4 * gate : 4 * gate + 4] = (0, 0, 0, 0)
                            later.append((gate, -1, 0))
                    gates[sign] = kept
            layer = later
            steps += 1
        return -1
