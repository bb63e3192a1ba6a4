class Solution:
    def solve(self, source, target):
        n, m = len(source), len(target)
        band, far = abs(n - m) + 3, n + m
        oldest, before = [], list(range(m + 1))
        for i in range(1, n + 1):
            row = [i] + [far] * m
            for j in range(max(1, i - band), min(m, i + band) + 1):
                cost = source[i - 1] != target[j - 1]
                row[j] = min(before[j - 1] + cost, before[j] + 1, row[j - 1] + 1)
                if (
                    i > 1
                    and j > 1
                    and source[i - 1] == target[j - 2]
                    and target[j - 1] == source[i - 2]
                ):
                    row[j] = min(row[j], oldest[j - 2] + 1)
            oldest, before = before, row
        return before[-1]
