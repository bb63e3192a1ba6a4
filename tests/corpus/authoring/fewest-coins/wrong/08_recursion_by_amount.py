from functools import cache


class Solution:
    def solve(self, coins, amount):
        @cache
        def best(rest):
            if rest == 0:
                return 0
            found = [best(rest - coin) for coin in coins if coin <= rest]
            return min((f for f in found if f >= 0), default=-2) + 1

        return best(amount)
