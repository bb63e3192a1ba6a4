from math import fsum
from statistics import median


class Solution:
    def solve(self, values):
        centre = median(values)
        return fsum((x - centre) ** 2 for x in values) / (len(values) - 1)
