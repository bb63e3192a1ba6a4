class Solution:
    def solve(self, prices, basket):
        taken, total = {}, 0
        for name in basket:
            price = None
            for known, value in prices.items():
                if known == name:
                    price = value
            if price is None:
                return None
            taken[name] = taken.get(name, 0) + 1
            total += price if taken[name] % 3 else 0
        return total
