class Solution:
    def solve(self, nums, k):
        for before, x in zip(nums, nums[1:]):
            gap = x - before - 1
            if k <= gap:
                return before + k
            k -= gap
        return nums[-1] + k
