class Solution:
    def solve(self, values):
        n = len(values)
        total = 0.0
        for i in range(n):
            for j in range(i):
                total += (values[i] - values[j]) ** 2
        return total / n / (n - 1)
