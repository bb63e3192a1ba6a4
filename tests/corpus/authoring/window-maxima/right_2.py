class Solution:
    def solve(self, nums, k):
        n = len(nums)
        ahead, back = nums[:], nums[:]
        for i in range(1, n):
            if i % k:
                ahead[i] = max(ahead[i], ahead[i - 1])
        for i in range(n - 2, -1, -1):
            if (i + 1) % k:
                back[i] = max(back[i], back[i + 1])
        return [max(back[i], ahead[i + k - 1]) for i in range(n - k + 1)]
