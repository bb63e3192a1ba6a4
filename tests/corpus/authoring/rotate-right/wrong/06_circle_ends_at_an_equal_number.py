from math import gcd


class Solution:
    def solve(self, nums, k):
        n = len(nums)
        for start in range(gcd(n, k)):
            i, carried = start, nums[start]
            first = carried
            while True:
                i = (i + k) % n
                nums[i], carried = carried, nums[i]
                if carried == first:
                    break
