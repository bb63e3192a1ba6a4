class Solution:
    def solve(self, prices, basket):
        rest, total = sorted(basket), 0
        while rest:
            if rest[0] not in prices:
                return None
            three = len(rest) > 2 and rest[0] == rest[2]
            total += prices[rest[0]] * (2 if three else 1)
            rest = rest[3 if three else 1:]
        return total
