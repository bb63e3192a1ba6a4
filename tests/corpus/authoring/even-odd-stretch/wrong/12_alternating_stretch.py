class Solution:
    def solve(self, nums):
        best, start = (-1, -2), 0
        for end in range(1, len(nums)):
            if (nums[end] - nums[end - 1]) % 2 == 0:
                start = end
            stop = end if (end - start) % 2 else end - 1
            if stop - start > max(0, best[1] - best[0]):
                best = (start, stop)
        return best if best[0] >= 0 else (-1, -1)
