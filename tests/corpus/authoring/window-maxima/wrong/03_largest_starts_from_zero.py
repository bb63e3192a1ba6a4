class Solution:
    def solve(self, nums, k):
        n = len(nums)
        ahead, here = [], 0
        for i, x in enumerate(nums):
            here = max(here if i % k else 0, x)
            ahead.append(here)
        back, here = [0] * n, 0
        for i in range(n - 1, -1, -1):
            here = max(here if (i + 1) % k else 0, nums[i])
            back[i] = here
        return [max(back[i], ahead[i + k - 1]) for i in range(n - k + 1)]
