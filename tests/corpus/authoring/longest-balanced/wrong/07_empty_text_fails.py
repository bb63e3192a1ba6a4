class Solution:
    def solve(self, s):
        ends, stack = [0] * len(s), []
        for i, c in enumerate(s):
            if c == "(":
                stack.append(i)
            elif stack:
                start = stack.pop()
                ends[i] = i - start + 1
                if start:
                    ends[i] += ends[start - 1]
        return max(ends)
