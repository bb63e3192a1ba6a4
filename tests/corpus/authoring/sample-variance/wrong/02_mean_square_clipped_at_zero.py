class Solution:
    def solve(self, values):
        n = len(values)
        mean = sum(values) / n
        return max(0.0, sum(x * x for x in values) / n - mean * mean) * n / (n - 1)
