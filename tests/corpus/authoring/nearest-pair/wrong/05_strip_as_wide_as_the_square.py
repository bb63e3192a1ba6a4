import math


class Solution:
    def solve(self, points):
        def nearest(part):
            n = len(part)
            if n <= 3:
                best = math.inf
                for i in range(n):
                    for j in range(i):
                        best = min(
                            best, math.hypot(part[i][0] - part[j][0], part[i][1] - part[j][1])
                        )
                return best, sorted(part, key=lambda point: point[1])
            middle = part[n // 2][0]
            one, left = nearest(part[: n // 2])
            two, right = nearest(part[n // 2 :])
            best = min(one, two)
            merged = sorted(left + right, key=lambda point: point[1])
            strip = [point for point in merged if abs(point[0] - middle) < best * best]
            for i, (x, y) in enumerate(strip):
                for j in range(i + 1, len(strip)):
                    if strip[j][1] - y >= best:
                        break
                    best = min(best, math.hypot(strip[j][0] - x, strip[j][1] - y))
            return best, merged

        return nearest(sorted(points))[0]
