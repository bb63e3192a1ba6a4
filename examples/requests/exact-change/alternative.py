class Solution:
    def solve(self, coins, amount):
        @functools.cache
        def fewest(left):
            if left == 0:
                return 0
            ways = [fewest(left - coin) for coin in coins if coin <= left]
            return min((1 + way for way in ways if way >= 0), default=-1)

        return fewest(amount)
