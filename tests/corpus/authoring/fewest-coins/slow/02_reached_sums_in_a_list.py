class Solution:
    def solve(self, coins, amount):
        sums, counts = [0], [0]
        for total, count in zip(sums, counts):
            if total == amount:
                return count
            for coin in coins:
                if total + coin <= amount and total + coin not in sums:
                    sums.append(total + coin)
                    counts.append(count + 1)
        return -1
