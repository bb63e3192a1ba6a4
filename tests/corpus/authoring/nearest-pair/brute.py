class Solution:
    def solve(self, points):
        best = None
        for i in range(len(points)):
            for j in range(i):
                (a, b), (c, d) = points[i], points[j]
                distance = ((a - c) ** 2 + (b - d) ** 2) ** 0.5
                if best is None or distance < best:
                    best = distance
        return best
