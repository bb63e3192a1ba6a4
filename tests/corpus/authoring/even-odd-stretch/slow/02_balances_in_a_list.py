class Solution:
    def solve(self, nums):
        balances, best = [0], (0, 0)
        for end, x in enumerate(nums, 1):
            balance = balances[-1] + (1 if x % 2 else -1)
            balances.append(balance)
            start = balances.index(balance)
            if end - start > best[1] - best[0]:
                best = (start, end)
        return (best[0], best[1] - 1) if best[1] else (-1, -1)
