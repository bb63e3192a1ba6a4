class Solution:
    def solve(self, nums, k):
        for _ in range(k % len(nums)):
            nums.insert(0, nums.pop())
