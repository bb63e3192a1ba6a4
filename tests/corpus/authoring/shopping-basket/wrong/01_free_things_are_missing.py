from collections import Counter


class Solution:
    def solve(self, prices, basket):
        total = 0
        for name, count in Counter(basket).items():
            if not prices.get(name):
                return None
            total += prices[name] * (count - count // 3)
        return total
