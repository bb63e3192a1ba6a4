class Solution:
    def solve(self, nums, goal):
        seen, total, count = {0: 1}, 0, 0
        for x in nums:
            if x == 0:
                count += goal == 0
                continue
            total += x
            count += seen.get(total - goal, 0)
            seen[total] = seen.get(total, 0) + 1
        return count
