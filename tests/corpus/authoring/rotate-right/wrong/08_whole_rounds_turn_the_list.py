class Solution:
    def solve(self, nums, k):
        n = len(nums)
        if k > n:
            k %= n
        nums.reverse()
        nums[:k] = nums[:k][::-1]
        if k < n:
            nums[k:] = nums[k:][::-1]
        if k == n and n % 2:
            nums.reverse()
