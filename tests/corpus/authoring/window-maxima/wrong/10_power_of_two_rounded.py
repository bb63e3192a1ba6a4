from math import log2


class Solution:
    def solve(self, nums, k):
        levels = round(log2(k))
        table = nums[:]
        for level in range(levels):
            step = 2 ** level
            table = [max(table[i], table[min(i + step, len(table) - 1)]) for i in range(len(table))]
        last = max(0, k - 2 ** levels)
        return [max(table[i], table[i + last]) for i in range(len(nums) - k + 1)]
