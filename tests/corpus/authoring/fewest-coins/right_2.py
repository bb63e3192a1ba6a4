class Solution:
    def solve(self, coins, amount):
        usable = [c for c in coins if c <= amount]
        full = (1 << amount + 1) - 1
        level, seen, count = 1, 1, 0
        while not seen >> amount & 1:
            level = sum_of(level, usable) & full & ~seen
            if not level:
                return -1
            seen |= level
            count += 1
        return count


def sum_of(level, coins):
    out = 0
    for coin in coins:
        out |= level << coin
    return out
