class Solution:
    def solve(self, coins, amount):
        best = [0] + [amount] * amount
        for coin in coins:
            for total in range(coin, amount + 1):
                best[total] = min(best[total], best[total - coin] + 1)
        return best[amount] if amount == 0 or best[amount] < amount else -1
