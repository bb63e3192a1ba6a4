from heapq import heappop, heappush


class Solution:
    def solve(self, rink, start, goal, reach):
        rows, columns = len(rink), len(rink[0])
        # room[d][r][c]: the free cells before the next wall in direction d
        up = [[0] * columns for _ in range(rows)]
        down = [[0] * columns for _ in range(rows)]
        left = [[0] * columns for _ in range(rows)]
        right = [[0] * columns for _ in range(rows)]
        for r in range(rows):
            for c in range(columns):
                if r and rink[r - 1][c] == ".":
                    up[r][c] = up[r - 1][c] + 1
                if c and rink[r][c - 1] == ".":
                    left[r][c] = left[r][c - 1] + 1
        for r in range(rows - 1, -1, -1):
            for c in range(columns - 1, -1, -1):
                if r + 1 < rows and rink[r + 1][c] == ".":
                    down[r][c] = down[r + 1][c] + 1
                if c + 1 < columns and rink[r][c + 1] == ".":
                    right[r][c] = right[r][c + 1] + 1
        room = [(-1, 0, up), (1, 0, down), (0, -1, left), (0, 1, right)]
        heap = [(0, 0, *start)]
        done = set()
        while heap:
            cells, pushes, r, c = heappop(heap)
            if [r, c] == goal:
                return [pushes, cells]
            if (r, c) in done:
                continue
            done.add((r, c))
            for dr, dc, free in room:
                slid = min(reach, free[r][c])
                if slid:
                    state = (cells + slid, pushes + 1, r + dr * slid, c + dc * slid)
                    if state[2:] not in done:
                        heappush(heap, state)
        return []
