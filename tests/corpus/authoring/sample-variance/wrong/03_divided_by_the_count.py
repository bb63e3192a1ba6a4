from math import fsum


class Solution:
    def solve(self, values):
        mean = fsum(values) / len(values)
        return fsum((x - mean) ** 2 for x in values) / len(values)
