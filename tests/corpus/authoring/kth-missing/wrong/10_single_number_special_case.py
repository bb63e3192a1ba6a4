class Solution:
    def solve(self, nums, k):
        if len(nums) == 1:
            return k if k <= nums[0] else k + 1
        low, high = 0, len(nums)
        while low < high:
            middle = (low + high) // 2
            if nums[middle] - middle - 1 < k:
                low = middle + 1
            else:
                high = middle
        return low + k
