class Solution:
    def solve(self, nums, goal):
        seen, total, count = {0}, 0, 0
        for x in nums:
            total += x
            count += total - goal in seen
            seen.add(total)
        return count
