class Solution:
    def solve(self, heights):
        best, n = 0, len(heights)
        for i, h in enumerate(heights):
            left = right = i
            while left > 0 and heights[left - 1] >= h:
                left -= 1
            while right < n - 1 and heights[right + 1] >= h:
                right += 1
            best = max(best, h * (right - left + 1))
        return best
