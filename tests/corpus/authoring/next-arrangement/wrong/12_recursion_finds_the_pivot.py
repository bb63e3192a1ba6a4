class Solution:
    def solve(self, nums):
        def pivot(i):
            if i < 0 or nums[i] < nums[i + 1]:
                return i
            return pivot(i - 1)

        i = pivot(len(nums) - 2)
        tail = sorted(nums[i + 1:])
        if i >= 0:
            k = next(k for k, x in enumerate(tail) if x > nums[i])
            nums[i], tail[k] = tail[k], nums[i]
        nums[i + 1:] = tail
