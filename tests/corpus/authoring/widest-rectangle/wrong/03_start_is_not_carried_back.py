class Solution:
    def solve(self, heights):
        stack, best = [], 0
        for i, h in enumerate(heights + [0]):
            while stack and stack[-1][1] > h:
                start, top = stack.pop()
                best = max(best, top * (i - start))
            if not stack or stack[-1][1] < h:
                stack.append((i, h))
        return best
