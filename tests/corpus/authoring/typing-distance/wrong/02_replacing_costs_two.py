class Solution:
    def solve(self, source, target):
        oldest, before = [], list(range(len(target) + 1))
        for i, letter in enumerate(source, 1):
            row = [i]
            for j, other in enumerate(target, 1):
                best = before[j - 1] + 2 * (letter != other)
                if before[j] + 1 < best:
                    best = before[j] + 1
                if row[j - 1] + 1 < best:
                    best = row[j - 1] + 1
                if i > 1 and j > 1 and letter == target[j - 2] and other == source[i - 2]:
                    best = min(best, oldest[j - 2] + 1)
                row.append(best)
            oldest, before = before, row
        return before[-1]
