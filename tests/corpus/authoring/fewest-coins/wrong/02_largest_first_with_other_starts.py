class Solution:
    def solve(self, coins, amount):
        coins, best = sorted(coins, reverse=True), -1
        for start in range(len(coins)):
            rest, count = amount, 0
            for coin in coins[start:]:
                count += rest // coin
                rest %= coin
            if rest == 0 and (best < 0 or count < best):
                best = count
        return best
