class Solution:
    def solve(self, heights):
        if len(heights) < 2:
            return heights[0] if heights else 0
        middle = len(heights) // 2
        i, j, low = middle - 1, middle, min(heights[middle - 1:middle + 1])
        best = 2 * low
        while i > 0 and j < len(heights) - 1:
            if heights[i - 1] >= heights[j + 1]:
                i -= 1
            else:
                j += 1
            low = min(low, heights[i], heights[j])
            best = max(best, low * (j - i + 1))
        return max(best, self.solve(heights[:middle]), self.solve(heights[middle:]))
