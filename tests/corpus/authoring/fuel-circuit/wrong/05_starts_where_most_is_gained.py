class Solution:
    def solve(self, gas, cost):
        gains = [g - c for g, c in zip(gas, cost)]
        return gains.index(max(gains)) if sum(gains) >= 0 else -1
