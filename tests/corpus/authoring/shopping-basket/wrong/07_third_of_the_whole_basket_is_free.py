class Solution:
    def solve(self, prices, basket):
        total = 0
        for i, name in enumerate(sorted(basket), 1):
            if name not in prices:
                return None
            if i % 3 or basket.count(name) < 3:
                total += prices[name]
        return total
