class Solution:
    def solve(self, source, target):
        n, m = len(source), len(target)
        table = [[0] * (m + 1) for _ in range(n + 1)]
        for i in range(n, -1, -1):
            for j in range(m, -1, -1):
                if i == n or j == m:
                    table[i][j] = n - i + m - j
                    continue
                if source[i] == target[j]:
                    table[i][j] = table[i + 1][j + 1]
                    continue
                best = 1 + min(table[i + 1][j + 1], table[i + 1][j], table[i][j + 1])
                if source[i : i + 2] == target[j : j + 2][::-1] and len(source[i : i + 2]) == 2:
                    best = min(best, 1 + table[i + 2][j + 2])
                table[i][j] = best
        return table[0][0]
