class Solution:
    def solve(self, nums, k):
        n = len(nums)
        k %= n

        def turn(i, j):
            while i < j:
                nums[i], nums[j] = nums[j], nums[i]
                i, j = i + 1, j - 1

        turn(0, n - 1)
        turn(0, k)
        turn(k + 1, n - 1)
