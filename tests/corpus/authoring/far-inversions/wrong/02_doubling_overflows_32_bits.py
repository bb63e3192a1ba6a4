from bisect import bisect_left, bisect_right


class Solution:
    def solve(self, nums):
        values = sorted(set(nums))
        tree = [0] * (len(values) + 1)
        count = 0
        for seen, x in enumerate(nums):
            k = bisect_right(values, (2 * x + 2**31) % 2**32 - 2**31)
            small = 0
            while k > 0:
                small += tree[k]
                k -= k & -k
            count += seen - small
            k = bisect_left(values, x) + 1
            while k <= len(values):
                tree[k] += 1
                k += k & -k
        return count
