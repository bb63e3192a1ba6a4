from collections import defaultdict


class Solution:
    def solve(self, maze, most):
        # A way is a chain of straight stretches of at most `most` steps, each in another direction than
        # the one before. A node is a cell with the direction of the stretch that ended there, 4 for none.
        rows, columns = len(maze), len(maze[0])
        same = defaultdict(list)
        for r in range(rows):
            for c in range(columns):
                if maze[r][c] not in ".#":
                    same[maze[r][c]].append((r, c))
        distance = {(0, 0, 4): 0}
        buckets = defaultdict(list)
        buckets[0].append((0, 0, 4))
        used = defaultdict(set)
        now = 0
        while buckets:
            while now not in buckets:
                now += 1
            for node in buckets.pop(now):
                if distance[node] != now:
                    continue
                r, c, last = node
                if r == rows - 1 and c == columns - 1:
                    return now
                reached = []
                for d, (dr, dc) in enumerate(((0, 1), (1, 0), (0, -1), (-1, 0))):
                    if d == last:
                        continue
                    y, x = r, c
                    for length in range(1, most + 1):
                        y, x = y + dr, x + dc
                        if not (0 <= y < rows and 0 <= x < columns) or maze[y][x] == "#":
                            break
                        reached.append(((y, x, d), now + length))
                letter = maze[r][c]
                # Once two gates of a letter have been used, every gate of it has been reached.
                if letter in same and len(used[letter]) < 2 and (r, c) not in used[letter]:
                    used[letter].add((r, c))
                    reached += [((y, x, 4), now + 1) for y, x in same[letter] if (y, x) != (r, c)]
                for state, moment in reached:
                    if moment < distance.get(state, moment + 1):
                        distance[state] = moment
                        buckets[moment].append(state)
        return -1
