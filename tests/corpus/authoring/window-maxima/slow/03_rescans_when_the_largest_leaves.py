class Solution:
    def solve(self, nums, k):
        best, out = None, []
        for i in range(len(nums) - k + 1):
            if best is None or nums[i - 1] == best:
                best = max(nums[i:i + k])
            else:
                best = max(best, nums[i + k - 1])
            out.append(best)
        return out
