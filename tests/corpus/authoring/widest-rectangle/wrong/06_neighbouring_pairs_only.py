class Solution:
    def solve(self, heights):
        pairs = [2 * min(a, b) for a, b in zip(heights, heights[1:])]
        whole = min(heights) * len(heights)
        return max(max(heights), whole, *pairs)
