class Solution:
    def solve(self, nums, k):
        k = min(k, len(nums))
        nums[:] = nums[len(nums) - k:] + nums[:len(nums) - k]
