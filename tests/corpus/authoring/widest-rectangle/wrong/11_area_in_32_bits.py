class Solution:
    def solve(self, heights):
        stack, best = [], 0
        for i, h in enumerate(heights + [0]):
            while stack and heights[stack[-1]] >= h:
                top = heights[stack.pop()]
                left = stack[-1] if stack else -1
                best = max(best, top * (i - left - 1))
            stack.append(i)
        return (best + 2**31) % 2**32 - 2**31
