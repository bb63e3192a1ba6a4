class Solution:
    def solve(self, stones, reach):
        rows, columns = len(stones), len(stones[0])
        careful, slipped = {(r, c) for r in range(rows) for c in range(columns)}, set()
        steps = -1
        while careful or slipped:
            steps += 1
            climbed, later = set(), set()
            for (r, c) in careful:
                for y, x in ((r - 1, c), (r + 1, c), (r, c - 1), (r, (c + 1) % columns)):
                    if 0 <= y < rows:
                        x %= columns
                        if stones[y][x] <= stones[r][c]:
                            later.add((y, x))
                        elif stones[y][x] <= stones[r][c] + reach:
                            climbed.add((y, x))
            for (r, c) in slipped:
                for y, x in ((r - 1, c), (r + 1, c), (r, c - 1), (r, (c + 1) % columns)):
                    if 0 <= y < rows:
                        x %= columns
                        if 0 < stones[y][x] - stones[r][c] <= reach:
                            later.add((y, x))
            careful, slipped = climbed, later
        return steps
