class Solution:
    def solve(self, coins, amount):
        level, seen, count = {0}, {0}, 0
        while level:
            if amount in level:
                return count
            level = {s + c for s in level for c in coins if s + c <= amount} - seen
            seen |= level
            count += 1
        return -1
