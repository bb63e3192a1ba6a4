from collections import deque


class Solution:
    def solve(self, nums, k):
        window, out = deque(), []
        for i, x in enumerate(nums):
            while window and window[-1] <= x:
                window.pop()
            window.append(x)
            if i >= k and window[0] == nums[i - k]:
                window.popleft()
            if i >= k - 1:
                out.append(window[0] if window else x)
        return out
