from functools import cache


class Solution:
    def solve(self, stones, reach):
        rows, columns = len(stones), len(stones[0])

        @cache
        def longest(r, c, slipped):
            best = 0
            for y, x in ((r - 1, c), (r + 1, c), (r, (c - 1) % columns), (r, (c + 1) % columns)):
                if 0 <= y < rows:
                    if 0 < stones[y][x] - stones[r][c] <= reach:
                        best = max(best, longest(y, x, slipped) + 1)
                    elif stones[y][x] <= stones[r][c] and not slipped:
                        best = max(best, longest(y, x, True) + 1)
            return best

        return max(longest(r, c, False) for r in range(rows) for c in range(columns))
