class Solution:
    def solve(self, text, k):
        stack = []
        for letter in text:
            if stack and stack[-1][0] == letter:
                stack[-1][1] += 1
            else:
                stack.append([letter, 1])
            if stack[-1][1] == k:
                stack.pop()
        return "".join(letter * count for letter, count in stack)
