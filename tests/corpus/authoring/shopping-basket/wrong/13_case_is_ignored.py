from collections import Counter


class Solution:
    def solve(self, prices, basket):
        prices = {name.lower(): price for name, price in prices.items()}
        total = 0
        for name, count in Counter(name.lower() for name in basket).items():
            if name not in prices:
                return None
            total += prices[name] * (count - count // 3)
        return total
