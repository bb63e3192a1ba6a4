from bisect import bisect_right


class Solution:
    def solve(self, nums):
        nums = nums[:]
        tail = [nums.pop()]
        while nums and nums[-1] >= tail[-1]:
            tail.append(nums.pop())
        if nums:
            pivot = nums.pop()
            k = bisect_right(tail, pivot)
            nums.append(tail[k])
            tail[k] = pivot
        return nums + tail
