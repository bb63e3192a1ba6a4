class Solution:
    def solve(self, nums):
        n = len(nums)
        for length in range(n - n % 2, 0, -2):
            for start in range(n - length + 1):
                if 2 * sum(x % 2 for x in nums[start:start + length]) == length:
                    return (start, start + length - 1)
        return (-1, -1)
