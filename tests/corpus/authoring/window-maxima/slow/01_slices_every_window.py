class Solution:
    def solve(self, nums, k):
        return list(map(max, (nums[i:i + k] for i in range(len(nums) - k + 1))))
