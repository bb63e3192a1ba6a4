import math


class Solution:
    def solve(self, points):
        best = math.inf
        for i in range(len(points)):
            for j in range(i):
                a, b = points[i], points[j]
                best = min(best, math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2))
        return best
