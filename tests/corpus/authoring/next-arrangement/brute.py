from itertools import permutations


class Solution:
    def solve(self, nums):
        every = sorted(set(permutations(nums)))
        k = every.index(tuple(nums)) + 1
        nums[:] = every[k % len(every)]
