class Solution:
    def solve(self, values):
        total = 0.0
        for x in values:
            total += (x - sum(values) / len(values)) ** 2
        return total / (len(values) - 1)
