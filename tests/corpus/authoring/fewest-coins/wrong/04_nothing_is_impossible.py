class Solution:
    def solve(self, coins, amount):
        best = [0] + [amount + 1] * amount
        for coin in coins:
            for total in range(coin, amount + 1):
                best[total] = min(best[total], best[total - coin] + 1)
        return best[amount] if 0 < best[amount] <= amount else -1
