class Solution:
    def solve(self, n, edges):
        far = [[0 if i == j else n for j in range(n)] for i in range(n)]
        for a, b in edges:
            far[a][b] = far[b][a] = 1
        for k in range(n):
            for i in range(n):
                for j in range(n):
                    far[i][j] = min(far[i][j], far[i][k] + far[k][j])
        return [sum(row) for row in far]
