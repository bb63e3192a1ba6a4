class Solution:
    def solve(self, nums, k):
        return [max(nums[i:i + k]) for i in range(0, len(nums) - k + 1, max(1, k - 2))]
