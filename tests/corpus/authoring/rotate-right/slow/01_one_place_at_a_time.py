class Solution:
    def solve(self, nums, k):
        for _ in range(k):
            last = nums.pop()
            nums.insert(0, last)
