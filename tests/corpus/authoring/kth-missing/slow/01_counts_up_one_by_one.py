class Solution:
    def solve(self, nums, k):
        x = i = 0
        while k:
            x += 1
            if i < len(nums) and nums[i] == x:
                i += 1
            else:
                k -= 1
        return x
