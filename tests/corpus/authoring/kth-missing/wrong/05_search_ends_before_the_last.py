class Solution:
    def solve(self, nums, k):
        low, high = 0, len(nums) - 1
        while low < high:
            middle = (low + high) // 2
            if nums[middle] - middle - 1 < k:
                low = middle + 1
            else:
                high = middle
        return low + k
