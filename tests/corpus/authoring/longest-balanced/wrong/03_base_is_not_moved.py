class Solution:
    def solve(self, s):
        stack, best = [-1], 0
        for i, c in enumerate(s):
            if c == "(":
                stack.append(i)
            else:
                stack.pop()
                if stack:
                    best = max(best, i - stack[-1])
                else:
                    stack.append(-1)
        return best
