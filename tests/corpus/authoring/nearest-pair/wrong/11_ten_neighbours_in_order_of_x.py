import math


class Solution:
    def solve(self, points):
        points = sorted(points)
        best = math.inf
        for i, (x, y) in enumerate(points):
            for j in range(i + 1, min(i + 11, len(points))):
                best = min(best, math.hypot(points[j][0] - x, points[j][1] - y))
        return best
