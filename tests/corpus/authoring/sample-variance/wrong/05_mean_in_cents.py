from math import fsum


class Solution:
    def solve(self, values):
        mean = round(fsum(values) / len(values), 2)
        return fsum((x - mean) ** 2 for x in values) / (len(values) - 1)
