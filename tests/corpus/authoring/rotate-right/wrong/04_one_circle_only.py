from math import gcd


class Solution:
    def solve(self, nums, k):
        n = len(nums)
        for start in range(1):
            i, carried = start, nums[start]
            while True:
                i = (i + k) % n
                nums[i], carried = carried, nums[i]
                if i == start:
                    break
