class Solution:
    def solve(self, source, target):
        n, m = len(source), len(target)
        table = [[0] * (m + 1) for _ in range(n + 1)]
        for i in range(n + 1):
            for j in range(m + 1):
                best = 0 if i == j == 0 else n + m
                for k in range(1, i + 1):
                    best = min(best, table[i - k][j] + k)
                for k in range(1, j + 1):
                    best = min(best, table[i][j - k] + k)
                if i and j:
                    best = min(best, table[i - 1][j - 1] + (source[i - 1] != target[j - 1]))
                if i > 1 and j > 1 and source[i - 2 : i] == target[j - 1] + target[j - 2]:
                    best = min(best, table[i - 2][j - 2] + 1)
                table[i][j] = best
        return table[n][m]
