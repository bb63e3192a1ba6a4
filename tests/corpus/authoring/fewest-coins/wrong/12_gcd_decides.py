from math import gcd


class Solution:
    def solve(self, coins, amount):
        if amount % gcd(*coins):
            return -1
        best = [0] + [amount + 1] * amount
        for total in range(1, amount + 1):
            for coin in coins:
                if coin <= total:
                    best[total] = min(best[total], best[total - coin] + 1)
        return min(best[amount], amount)
