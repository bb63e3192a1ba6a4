class Solution:
    def solve(self, nums):
        i = len(nums) - 2
        while i >= 0 and nums[i] >= nums[i + 1]:
            i -= 1
        if i < 0:
            nums.sort()
            return
        j = min(range(i + 1, len(nums)), key=lambda k: (nums[k] == nums[i], nums[k]))
        nums[i], nums[j] = nums[j], nums[i]
        nums[i + 1:] = sorted(nums[i + 1:])
