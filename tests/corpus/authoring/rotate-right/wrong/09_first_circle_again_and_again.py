class Solution:
    def solve(self, nums, k):
        n, moved = len(nums), 0
        while moved < n:
            i, carried = 0, nums[0]
            while True:
                i = (i + k) % n
                nums[i], carried = carried, nums[i]
                moved += 1
                if i == 0:
                    break
