class Solution:
    def solve(self, nums):
        n = len(nums)
        first, last, balance = [-1] * (2 * n + 1), [-1] * (2 * n + 1), n
        first[n] = last[n] = 0
        for end, x in enumerate(nums, 1):
            balance += 2 * (x & 1) - 1
            last[balance] = end
            if first[balance] < 0:
                first[balance] = end
        length, start = max((b - a, -a) for a, b in zip(first, last))
        return (-start, length - start - 1) if length else (-1, -1)
