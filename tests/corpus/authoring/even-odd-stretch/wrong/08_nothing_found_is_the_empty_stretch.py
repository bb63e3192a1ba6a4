class Solution:
    def solve(self, nums):
        first, balance, best = {0: 0}, 0, (0, 0)
        for end, x in enumerate(nums, 1):
            balance += 1 if x % 2 else -1
            start = first.setdefault(balance, end)
            if end - start > best[1] - best[0]:
                best = (start, end)
        return (best[0], best[1] - 1) if best[1] else (0, -1)
