from collections import deque


class Solution:
    def solve(self, maze, most):
        rows, columns = len(maze), len(maze[0])
        gates = {}
        for r, row in enumerate(maze):
            for c, sign in enumerate(row):
                if sign not in ".#":
                    gates.setdefault(sign, []).append((r, c))
        queue = deque([(0, 0, -1, 0, 0)])
        seen = {(0, 0, -1, 0)}
        while queue:
            r, c, direction, run, steps = queue.popleft()
            if r == rows - 1 and c == columns - 1:
                return steps
            for d, (dr, dc) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
                y, x = r + dr, c + dc
                if 0 <= y < rows and 0 <= x < columns and maze[y][x] != "#":
                    number = run + 1 if d == direction else 1
                    if number <= most and (y, x, d, number) not in seen:
                        seen.add((y, x, d, number))
                        queue.append((y, x, d, number, steps + 1))
            for y, x in gates.get(maze[r][c], ()):
                if (y, x) != (r, c) and (y, x, -1, 0) not in seen:
                    seen.add((y, x, -1, 0))
                    queue.append((y, x, -1, 0, steps + 1))
        return -1
