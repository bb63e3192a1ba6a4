class Solution:
    def solve(self, nums):
        n, best = len(nums), (0, 0)
        for start in range(n):
            balance = 0
            for end in range(start, n):
                balance += 1 if nums[end] % 2 else -1
                if balance == 0 and end + 1 - start > best[1] - best[0]:
                    best = (start, end + 1)
        return (best[0], best[1] - 1) if best[1] else (-1, -1)
