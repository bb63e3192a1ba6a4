class Solution:
    def solve(self, nums):
        n = len(nums)
        twice = nums + nums
        best = nums[0]
        for start in range(n):
            total = 0
            for k in range(start, start + n):
                total += twice[k]
                if total > best:
                    best = total
        return best
