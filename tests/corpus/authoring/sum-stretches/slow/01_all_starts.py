class Solution:
    def solve(self, nums, goal):
        count = 0
        for start in range(len(nums)):
            total = 0
            for x in nums[start:]:
                total += x
                if total == goal:
                    count += 1
        return count
