class Solution:
    def solve(self, coins, amount):
        best = [0] + [-1] * amount
        for coin in coins:
            for total in range(coin, amount + 1):
                new = best[total - coin] + 1
                best[total] = new if best[total] < 0 else min(best[total], new)
        return best[amount] or (-1 if amount else 0)
