class Solution:
    def solve(self, heights):
        return max(h * k for k, h in enumerate(sorted(heights, reverse=True), 1))
