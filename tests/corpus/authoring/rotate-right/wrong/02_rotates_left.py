class Solution:
    def solve(self, nums, k):
        k %= len(nums)
        nums[:] = nums[k:] + nums[:k]
