from itertools import groupby


class Solution:
    def solve(self, prices, basket):
        total = 0
        for name, group in groupby(basket):
            if name not in prices:
                return None
            count = len(list(group))
            total += prices[name] * (count - count // 3)
        return total
