from collections import deque


class Solution:
    def solve(self, nums):
        n = len(nums)
        sums = [0]
        for x in nums + nums:
            sums.append(sums[-1] + x)
        best = -1000
        window = deque()
        for i in range(2 * n + 1):
            while window and window[0] < i - n:
                window.popleft()
            if window:
                best = max(best, sums[i] - sums[window[0]])
            while window and sums[window[-1]] >= sums[i]:
                window.pop()
            window.append(i)
        return best
