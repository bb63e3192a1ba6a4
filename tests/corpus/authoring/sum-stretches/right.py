class Solution:
    def solve(self, nums, goal):
        seen, total, count = {0: 1}, 0, 0
        for x in nums:
            total += x
            count += seen.get(total - goal, 0)
            seen[total] = seen.get(total, 0) + 1
        return count
