class Solution:
    def solve(self, nums):
        cut = nums.index(min(nums)) + 1
        line = nums[cut:] + nums[:cut]
        best = here = line[0]
        for x in line[1:]:
            here = max(here + x, x)
            best = max(best, here)
        return best
