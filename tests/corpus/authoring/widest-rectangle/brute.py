class Solution:
    def solve(self, heights):
        n = len(heights)
        return max(min(heights[i:j]) * (j - i) for i in range(n) for j in range(i + 1, n + 1))
