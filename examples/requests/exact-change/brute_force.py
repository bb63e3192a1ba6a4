class Solution:
    def solve(self, coins, amount):
        reached, count = {0}, 0
        while reached:
            if amount in reached:
                return count
            reached = {
                total + coin for total in reached for coin in coins if total + coin <= amount
            }
            count += 1
        return -1
