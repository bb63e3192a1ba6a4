from itertools import accumulate


class Solution:
    def solve(self, nums):
        best = here = nums[0]
        for x in nums[1:]:
            here = max(here + x, x)
            best = max(best, here)
        prefix = max(accumulate(nums))
        suffix = max(accumulate(nums[::-1]))
        if len(nums) > 2 and prefix + suffix <= sum(x for x in nums if x > 0):
            best = max(best, prefix + suffix)
        return best
