class Solution:
    def solve(self, coins, amount):
        if 1 in coins:
            count = 0
            for coin in sorted(coins, reverse=True):
                count += amount // coin
                amount %= coin
            return count
        best = [0] + [amount + 1] * amount
        for coin in coins:
            for total in range(coin, amount + 1):
                best[total] = min(best[total], best[total - coin] + 1)
        return best[amount] if best[amount] <= amount else -1
