from statistics import median


class Solution:
    def solve(self, first, second):
        if first[0] > second[0]:
            first, second = second, first
        if first[-1] <= second[0]:
            return float(median(first + second))
        return float(median(sorted(first + second)))
