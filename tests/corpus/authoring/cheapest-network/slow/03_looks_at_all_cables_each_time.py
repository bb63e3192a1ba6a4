class Solution:
    def solve(self, n, cables):
        seen, total = {0}, 0
        while len(seen) < n:
            best = None
            for cable in cables:
                if (cable[0] in seen) != (cable[1] in seen) and (best is None or cable[2] < best[2]):
                    best = cable
            seen.update(best[:2])
            total += best[2]
        return total
