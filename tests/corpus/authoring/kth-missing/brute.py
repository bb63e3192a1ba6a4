class Solution:
    def solve(self, nums, k):
        if nums[-1] > 10**6 or k > 10**6:
            before = 0
            for x in nums:
                gap = x - before - 1
                if k <= gap:
                    break
                k -= gap
                before = x
            return before + k
        x = 0
        while k:
            x += 1
            k -= x not in nums
        return x
