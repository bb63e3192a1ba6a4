class Solution:
    def solve(self, source, target):
        row = list(range(len(target) + 1))
        for i, letter in enumerate(source, 1):
            oldest = before = row
            row[0] = i
            for j, other in enumerate(target, 1):
                best = min(before[j - 1] + (letter != other), before[j] + 1, row[j - 1] + 1)
                if i > 1 and j > 1 and letter == target[j - 2] and other == source[i - 2]:
                    best = min(best, oldest[j - 2] + 1)
                row[j] = best
        return row[-1]
