class Solution:
    def solve(self, prices, basket):
        total, seen = 0, []
        for name in basket:
            if name not in prices:
                return None
            if name not in seen:
                seen.append(name)
                count = basket.count(name)
                total += prices[name] * (count - count // 3)
        return total
