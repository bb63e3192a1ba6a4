class Solution:
    def solve(self, source, target):
        n, m = len(source), len(target)
        far = n + m
        table = [[far] * (m + 2) for _ in range(n + 2)]
        for i in range(n + 1):
            table[i + 1][1] = i
        for j in range(m + 1):
            table[1][j + 1] = j
        last = {}
        for i in range(1, n + 1):
            seen = 0
            for j in range(1, m + 1):
                k, l = last.get(target[j - 1], 0), seen
                cost = 1
                if source[i - 1] == target[j - 1]:
                    cost, seen = 0, j
                table[i + 1][j + 1] = min(
                    table[i][j] + cost,
                    table[i + 1][j] + 1,
                    table[i][j + 1] + 1,
                    table[k][l] + (i - k - 1) + 1 + (j - l - 1),
                )
            last[source[i - 1]] = i
        return table[n + 1][m + 1]
