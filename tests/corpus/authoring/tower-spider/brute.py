class Solution:
    def solve(self, stones, reach):
        rows, columns = len(stones), len(stones[0])
        walks = {(r, c, False) for r in range(rows) for c in range(columns)}
        steps = 0
        while True:
            longer = set()
            for r, c, slipped in walks:
                for y, x in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                    if not 0 <= y < rows:
                        continue
                    x %= columns
                    more = stones[y][x] - stones[r][c]
                    if 0 < more <= reach:
                        longer.add((y, x, slipped))
                    elif more <= 0 and not slipped:
                        longer.add((y, x, True))
            if not longer:
                return steps
            walks = longer
            steps += 1
