class Solution:
    def solve(self, heights, glows, gap, low, high):
        totals, counts, ways = [], [], []
        for i, glow in enumerate(glows):
            best, lit, number = 0, 0, 1
            for j in range(i - gap + 1):
                rise = heights[i] - heights[j]
                if rise < low or rise > high or totals[j] < best:
                    continue
                if totals[j] > best or counts[j] < lit:
                    best, lit, number = totals[j], counts[j], ways[j]
                elif totals[j] == best and counts[j] == lit:
                    number += ways[j]
            totals.append(best + glow)
            counts.append(lit + 1)
            ways.append(number % 1000000007)
        best = max(totals)
        lit = min(c for t, c in zip(totals, counts) if t == best)
        number = sum(w for t, c, w in zip(totals, counts, ways) if (t, c) == (best, lit))
        return [best, lit, number % 1000000007]
