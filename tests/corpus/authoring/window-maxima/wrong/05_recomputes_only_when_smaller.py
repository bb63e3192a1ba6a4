class Solution:
    def solve(self, nums, k):
        best = max(nums[:k])
        out = [best]
        for i in range(k, len(nums)):
            if nums[i] >= best:
                best = nums[i]
            elif nums[i - k] == best and nums[i] < nums[i - k + 1]:
                best = max(nums[i - k + 1:i])
            elif nums[i - k] == best:
                best = max(nums[i - k + 2:i + 1])
            out.append(best)
        return out
