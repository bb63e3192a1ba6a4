from heapq import heappop, heappush


class Solution:
    def solve(self, maze, most):
        rows, columns = len(maze), len(maze[0])
        gates = {}
        for r, row in enumerate(maze):
            for c, sign in enumerate(row):
                if sign not in ".#":
                    gates.setdefault(sign, []).append((r, c))
        heap = [(rows + columns - 2, 0, 0, 0, -1, 0)]
        done = set()
        while heap:
            _, steps, r, c, direction, run = heappop(heap)
            if (r, c, direction, run) in done:
                continue
            done.add((r, c, direction, run))
            if r == rows - 1 and c == columns - 1:
                return steps
            found = []
            for d, (dr, dc) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
                y, x = r + dr, c + dc
                if 0 <= y < rows and 0 <= x < columns and maze[y][x] != "#":
                    number = run + 1 if d == direction else 1
                    if number <= most:
                        found.append((y, x, d, number))
            for y, x in gates.get(maze[r][c], ()):
                if (y, x) != (r, c):
                    found.append((y, x, -1, 0))
            for y, x, d, number in found:
                far = rows - 1 - y + columns - 1 - x
                heappush(heap, (steps + 1 + far, steps + 1, y, x, d, number))
        return -1
