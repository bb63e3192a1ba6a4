from bisect import bisect_left, bisect_right

MOD = 1_000_000_007


class Solution:
    def solve(self, heights, glows, gap, low, high):
        levels = sorted(set(heights))
        place = {h: i for i, h in enumerate(levels)}
        stored = [(0, 0, 1)] * len(levels)
        found = []
        for i, height in enumerate(heights):
            if i >= gap:
                at = place[heights[i - gap]]
                stored[at] = self.merge(stored[at], found[i - gap])
            best = (0, 0, 1)
            for at in range(bisect_left(levels, height - high), bisect_right(levels, height - low)):
                if stored[at][1]:
                    best = self.merge(best, stored[at])
            total, lit, ways = best
            found.append((total + glows[i], lit - 1, ways))
        best = found[0]
        for each in found[1:]:
            best = self.merge(best, each)
        return [best[0], -best[1], best[2]]

    def merge(self, a, b):
        if a[:2] == b[:2]:
            return (*a[:2], (a[2] + b[2]) % MOD)
        return max(a, b)
