class Solution:
    def solve(self, nums):
        n = len(nums)
        sums = []
        for start in range(n):
            for length in range(1, n + 1):
                sums.append(sum(nums[(start + k) % n] for k in range(length)))
        return max(sums)
