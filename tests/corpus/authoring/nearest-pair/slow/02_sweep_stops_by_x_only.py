import math


class Solution:
    def solve(self, points):
        points = sorted(points)
        best = math.inf
        for i, (x, y) in enumerate(points):
            for j in range(i + 1, len(points)):
                if points[j][0] - x > best:
                    break
                best = min(best, math.hypot(points[j][0] - x, points[j][1] - y))
        return best
