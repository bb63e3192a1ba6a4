class Solution:
    def solve(self, nums):
        best, count = [], 0
        for x in nums:
            for y in sorted(best, reverse=True):
                if y <= 2 * x or y < 0 < x:
                    break
                count += 1
            if x not in best or x >= 0:
                best.append(x)
        return count
