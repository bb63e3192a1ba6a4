class Solution:
    def solve(self, coins, amount):
        best = {0: 0}
        for coin in sorted(coins):
            new = dict(best)
            for total, count in best.items():
                for k in range(1, 101):
                    if total + k * coin > amount:
                        break
                    key = total + k * coin
                    new[key] = min(new.get(key, amount + 1), count + k)
            best = new
        return best.get(amount, -1)
