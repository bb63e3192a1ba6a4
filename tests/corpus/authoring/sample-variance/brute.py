from fractions import Fraction


class Solution:
    def solve(self, values):
        exact = [Fraction(x) for x in values]
        n = len(exact)
        mean = sum(exact) / n
        return float(sum((x - mean) ** 2 for x in exact) / (n - 1))
