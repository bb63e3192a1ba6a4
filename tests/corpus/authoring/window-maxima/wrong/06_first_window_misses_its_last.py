class Solution:
    def solve(self, nums, k):
        best = max(nums[:max(1, k - 1)])
        out = [best]
        for i in range(k, len(nums)):
            if nums[i - k] < best:
                best = max(best, nums[i])
            else:
                best = max(nums[i - k + 1:i + 1])
            out.append(best)
        return out
