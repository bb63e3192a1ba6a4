class Solution:
    def solve(self, nums):
        for i in range(len(nums) - 2, -1, -1):
            larger = [k for k in range(i + 1, len(nums)) if nums[k] > nums[i]]
            if larger:
                j = min(larger, key=lambda k: nums[k])
                nums[i], nums[j] = nums[j], nums[i]
                nums[i + 1:] = sorted(nums[i + 1:])
                return
        nums.sort()
