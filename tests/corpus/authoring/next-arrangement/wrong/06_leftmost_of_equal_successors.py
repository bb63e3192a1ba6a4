class Solution:
    def solve(self, nums):
        i = len(nums) - 2
        while i >= 0 and nums[i] >= nums[i + 1]:
            i -= 1
        if i < 0:
            nums.reverse()
            return
        best = i + 1
        for j in range(i + 2, len(nums)):
            if nums[i] < nums[j] < nums[best]:
                best = j
        nums[i], nums[best] = nums[best], nums[i]
        nums[i + 1:] = nums[i + 1:][::-1]
