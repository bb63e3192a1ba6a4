from bisect import insort, bisect_left
import math


class Solution:
    def solve(self, points):
        best, first, active = math.inf, 0, []
        points = sorted((x, y) for x, y in points)
        for x, y in points:
            while points[first][0] < x - best:
                active.pop(bisect_left(active, points[first][::-1]))
                first += 1
            at = bisect_left(active, (y - best,))
            while at < len(active) and active[at][0] <= y + best:
                best = min(
                    best, math.hypot(abs(x) - abs(active[at][1]), abs(y) - abs(active[at][0]))
                )
                at += 1
            if best == 0:
                return 0.0
            insort(active, (y, x))
        return best
