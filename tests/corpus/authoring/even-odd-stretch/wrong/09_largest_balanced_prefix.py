class Solution:
    def solve(self, nums):
        balance, best = 0, (-1, -1)
        for end, x in enumerate(nums):
            balance += 1 if x % 2 else -1
            if balance == 0:
                best = (0, end)
        if best == (-1, -1):
            for i in range(len(nums) - 1):
                if (nums[i] - nums[i + 1]) % 2:
                    return (i, i + 1)
        return best
