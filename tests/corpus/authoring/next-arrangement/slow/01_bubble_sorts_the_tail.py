class Solution:
    def solve(self, nums):
        i = len(nums) - 2
        while i >= 0 and nums[i] >= nums[i + 1]:
            i -= 1
        if i >= 0:
            j = max(k for k in range(i + 1, len(nums)) if nums[k] > nums[i])
            nums[i], nums[j] = nums[j], nums[i]
        for end in range(len(nums) - 1, i, -1):
            moved = False
            for k in range(i + 1, end):
                if nums[k] > nums[k + 1]:
                    nums[k], nums[k + 1] = nums[k + 1], nums[k]
                    moved = True
            if not moved:
                break
