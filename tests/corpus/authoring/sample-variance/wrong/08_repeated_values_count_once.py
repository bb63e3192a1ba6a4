from math import fsum


class Solution:
    def solve(self, values):
        values = list(set(values)) if len(set(values)) > 1 else values
        mean = fsum(values) / len(values)
        return fsum((x - mean) ** 2 for x in values) / (len(values) - 1)
