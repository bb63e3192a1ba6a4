class Solution:
    def solve(self, n, flights, start, goal, stops):
        far = float("inf")
        table = [[far] * n for _ in range(n)]
        for u, v, price in flights:
            table[u][v] = min(table[u][v], price)
        for i in range(n):
            table[i][i] = 0
        total = [[0 if i == j else far for j in range(n)] for i in range(n)]
        for _ in range(stops + 1):
            total = [
                [min(total[i][k] + table[k][j] for k in range(n)) for j in range(n)]
                for i in range(n)
            ]
        return -1 if total[start][goal] == far else total[start][goal]
