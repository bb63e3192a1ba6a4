from itertools import accumulate


class Solution:
    def solve(self, gas, cost):
        gains = [g - c for g, c in zip(gas, cost)]
        for start in range(len(gains)):
            if min(accumulate(gains[start:] + gains[:start])) >= 0:
                return start
        return -1
