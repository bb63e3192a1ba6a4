class Solution:
    def solve(self, nums, goal):
        start = total = count = 0
        for end, x in enumerate(nums):
            total += x
            while start < end and total > goal:
                total -= nums[start]
                start += 1
            count += total == goal
        return count
