class Solution:
    def solve(self, coins, amount):
        fewest = [0] + [amount + 1] * amount
        for total in range(1, amount + 1):
            for coin in coins:
                if coin <= total:
                    fewest[total] = min(fewest[total], fewest[total - coin] + 1)
        return fewest[amount] if fewest[amount] <= amount else -1
