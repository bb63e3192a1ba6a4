class Solution:
    def solve(self, nums):
        odd = sum(x % 2 for x in nums)
        left, right = 0, len(nums) - 1
        while left <= right and 2 * odd != right - left + 1:
            more = 2 * odd > right - left + 1
            if (nums[left] % 2 == 1) == more or (nums[right] % 2 == 1) != more:
                odd -= nums[left] % 2
                left += 1
            else:
                odd -= nums[right] % 2
                right -= 1
        return (left, right) if left <= right else (-1, -1)
