class Solution:
    def solve(self, heights):
        stack, best = [], 0
        for i, h in enumerate(heights + [0]):
            while stack and heights[stack[-1]] >= h:
                left = stack.pop()
                top = heights[left]
                left -= 1
                best = max(best, top * (i - left - 1))
            stack.append(i)
        return best
