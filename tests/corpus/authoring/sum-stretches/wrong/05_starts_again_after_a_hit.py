class Solution:
    def solve(self, nums, goal):
        seen, total, count = {0: 1}, 0, 0
        for x in nums:
            total += x
            if total - goal in seen:
                count += 1
                seen, total = {}, 0
            seen[total] = seen.get(total, 0) + 1
        return count
