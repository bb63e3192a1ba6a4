class Solution:
    def solve(self, nums, k):
        before = 0
        for x in nums:
            gap = x - before - 1
            if k < gap:
                return before + k
            k -= gap
            before = x
        return before + k
