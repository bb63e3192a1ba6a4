class Solution:
    def solve(self, nums):
        i = len(nums) - 2
        while nums[i] >= nums[i + 1]:
            if i == 0:
                nums.reverse()
                return
            i -= 1
        j = len(nums) - 1
        while nums[j] <= nums[i]:
            j -= 1
        nums[i], nums[j] = nums[j], nums[i]
        nums[i + 1:] = reversed(nums[i + 1:])
