class Solution:
    def solve(self, values):
        first = values[0]
        return sum((x - first) ** 2 for x in values) / (len(values) - 1)
