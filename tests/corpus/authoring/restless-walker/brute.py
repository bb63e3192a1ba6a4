class Solution:
    def solve(self, maze, most):
        rows, columns = len(maze), len(maze[0])
        free = {(r, c) for r in range(rows) for c in range(columns) if maze[r][c] != "#"}
        seen = {(0, 0, None, 0)}
        layer = list(seen)
        steps = 0
        while layer:
            if any((r, c) == (rows - 1, columns - 1) for r, c, _, _ in layer):
                return steps
            later = []
            for r, c, direction, run in layer:
                for way in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                    there = (r + way[0], c + way[1])
                    number = run + 1 if way == direction else 1
                    if there in free and number <= most:
                        later.append((*there, way, number))
                if maze[r][c] != ".":
                    for y, x in free:
                        if maze[y][x] == maze[r][c] and (y, x) != (r, c):
                            later.append((y, x, None, 0))
            layer = list(set(later) - seen)
            seen.update(layer)
            steps += 1
        return -1
