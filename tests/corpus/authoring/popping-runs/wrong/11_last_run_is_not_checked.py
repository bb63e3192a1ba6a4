class Solution:
    def solve(self, text, k):
        stack = []
        for letter in text:
            if stack and stack[-1][0] == letter:
                stack[-1][1] += 1
                continue
            while stack and stack[-1][1] >= k:
                stack[-1][1] -= k
                if stack[-1][1] == 0:
                    stack.pop()
            if stack and stack[-1][0] == letter:
                stack[-1][1] += 1
            else:
                stack.append([letter, 1])
        return "".join(letter * count for letter, count in stack)
