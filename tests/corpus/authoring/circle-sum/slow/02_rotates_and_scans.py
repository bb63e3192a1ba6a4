class Solution:
    def solve(self, nums):
        best = max(nums)
        for cut in range(len(nums)):
            here = 0
            for x in nums[cut:] + nums[:cut]:
                here = here + x if here > 0 else x
                best = max(best, here)
        return best
