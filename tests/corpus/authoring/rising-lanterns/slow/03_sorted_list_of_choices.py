MOD = 1_000_000_007


class Solution:
    def solve(self, heights, glows, gap, low, high):
        ranked, found = [], []
        for i, height in enumerate(heights):
            if i >= gap:
                total, lit, ways = found[i - gap]
                ranked.append((-total, lit, heights[i - gap], ways))
                ranked.sort()
            best, number = (0, 0), 0
            for total, lit, level, ways in ranked:
                if total >= 0 or number and (total, lit) != best:
                    break
                if low <= height - level <= high:
                    best = (total, lit)
                    number += ways
            found.append((glows[i] - best[0], best[1] + 1, number % MOD if best[1] else 1))
        total, lit = max((t, -c) for t, c, _ in found)
        return [total, -lit, sum(w for t, c, w in found if (t, c) == (total, -lit)) % MOD]
