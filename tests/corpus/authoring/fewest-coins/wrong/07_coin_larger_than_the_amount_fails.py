class Solution:
    def solve(self, coins, amount):
        best = [0] + [-1] * amount
        for coin in coins:
            if amount:
                best[coin] = 1
        for total in range(1, amount + 1):
            found = [best[total - c] + 1 for c in coins if c <= total and best[total - c] >= 0]
            best[total] = min(found, default=-1)
        return best[amount]
