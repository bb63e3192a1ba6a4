class Solution:
    def solve(self, nums, k):
        k %= max(1, len(nums) - 1)
        nums[:] = nums[len(nums) - k:] + nums[:len(nums) - k]
