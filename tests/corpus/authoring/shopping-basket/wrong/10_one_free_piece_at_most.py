from collections import Counter


class Solution:
    def solve(self, prices, basket):
        total = 0
        for name, count in Counter(basket).items():
            if name not in prices:
                return None
            total += prices[name] * (count - (count > 2))
        return total
