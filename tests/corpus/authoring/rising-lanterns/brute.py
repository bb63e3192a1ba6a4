class Solution:
    def solve(self, heights, glows, gap, low, high):
        found = []
        for i, glow in enumerate(glows):
            best, number = (glow, -1), 1
            for j in range(i - gap + 1):
                if low <= heights[i] - heights[j] <= high:
                    total, lit, ways = found[j]
                    value = (total + glow, lit - 1)
                    if value > best:
                        best, number = value, 0
                    if value == best:
                        number += ways
            found.append((*best, number))
        best = max(found)[:2]
        ways = sum(each[2] for each in found if each[:2] == best)
        return [best[0], -best[1], ways % 1000000007]
