class Solution:
    def solve(self, nums):
        n = len(nums)
        return sum(nums[i] > 2 * nums[j] for i in range(n) for j in range(i + 1, n))
