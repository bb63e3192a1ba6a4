class Solution:
    def solve(self, values):
        n = len(values)
        total, squares = sum(values), sum(x * x for x in values)
        return (squares - total * total / n) / (n - 1)
