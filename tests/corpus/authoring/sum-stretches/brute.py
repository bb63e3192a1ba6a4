class Solution:
    def solve(self, nums, goal):
        n = len(nums)
        return sum(sum(nums[i:j]) == goal for i in range(n) for j in range(i + 1, n + 1))
