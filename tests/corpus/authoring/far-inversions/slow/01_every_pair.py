class Solution:
    def solve(self, nums):
        count = 0
        for j, y in enumerate(nums):
            limit = 2 * y
            for i in range(j):
                if nums[i] > limit:
                    count += 1
        return count
