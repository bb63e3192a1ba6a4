class Solution:
    def solve(self, text, pattern):
        m, out = len(pattern), []
        if m > len(text):
            return out
        goal = sum(map(ord, pattern))
        here = sum(map(ord, text[:m]))
        for i in range(len(text) - m + 1):
            if here == goal and text[i] == pattern[0] and text[i + m - 1] == pattern[-1]:
                out.append(i)
            if i + m < len(text):
                here += ord(text[i + m]) - ord(text[i])
        return out
