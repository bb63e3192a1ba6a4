class Solution:
    def solve(self, nums):
        best = low = nums[0]
        high_here = low_here = total = 0
        for x in nums:
            high_here = max(high_here + x, x)
            low_here = min(low_here + x, x)
            best = max(best, high_here)
            low = min(low, low_here)
            total += x
        return best if nums[0] < 0 or nums[-1] < 0 else max(best, total - low)
