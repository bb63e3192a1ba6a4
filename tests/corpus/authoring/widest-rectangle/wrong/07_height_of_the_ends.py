class Solution:
    def solve(self, heights):
        best, left, right = max(heights), 0, len(heights) - 1
        while left <= right:
            best = max(best, min(heights[left:right + 1]) * (right - left + 1))
            if heights[left] <= heights[right]:
                left += 1
            else:
                right -= 1
        return best
