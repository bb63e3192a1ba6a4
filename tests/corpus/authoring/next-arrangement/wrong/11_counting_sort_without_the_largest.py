class Solution:
    def solve(self, nums):
        i = len(nums) - 2
        while i >= 0 and nums[i] >= nums[i + 1]:
            i -= 1
        if i >= 0:
            j = max(k for k in range(i + 1, len(nums)) if nums[k] > nums[i])
            nums[i], nums[j] = nums[j], nums[i]
        counts = [0] * 10**6
        for x in nums[i + 1:]:
            counts[x] += 1
        nums[i + 1:] = [x for x in sorted(set(nums[i + 1:])) for _ in range(counts[x])]
