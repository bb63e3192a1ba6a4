class Solution:
    def solve(self, source, target):
        start = 0
        while start < min(len(source), len(target)) and source[start] == target[start]:
            start += 1
        end = 0
        while end < min(len(source), len(target)) and source[-1 - end] == target[-1 - end]:
            end += 1
        source, target = source[start : len(source) - end], target[start : len(target) - end]
        oldest, before = [], list(range(len(target) + 1))
        for i, letter in enumerate(source, 1):
            row = [i]
            for j, other in enumerate(target, 1):
                best = min(before[j - 1] + (letter != other), before[j] + 1, row[j - 1] + 1)
                if i > 1 and j > 1 and letter == target[j - 2] and other == source[i - 2]:
                    best = min(best, oldest[j - 2] + 1)
                row.append(best)
            oldest, before = before, row
        return before[-1]
