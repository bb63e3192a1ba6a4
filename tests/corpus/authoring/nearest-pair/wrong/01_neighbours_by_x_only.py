import math


class Solution:
    def solve(self, points):
        points = sorted(points)
        return min(math.dist(a, b) for a, b in zip(points, points[1:]))
