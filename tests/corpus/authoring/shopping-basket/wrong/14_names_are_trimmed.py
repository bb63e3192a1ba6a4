from collections import Counter


class Solution:
    def solve(self, prices, basket):
        total = 0
        for name, count in Counter(name.strip() for name in basket).items():
            if name not in prices:
                return None
            total += prices[name] * (count - count // 3)
        return total
