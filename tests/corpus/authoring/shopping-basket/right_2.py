class Solution:
    def solve(self, prices, basket):
        taken, total = {}, 0
        for name in basket:
            taken[name] = taken.get(name, 0) + 1
            try:
                price = prices[name]
            except KeyError:
                return None
            if taken[name] % 3:
                total += price
        return total
