class Solution:
    def solve(self, text, pattern):
        m = len(pattern)
        return [i for i in range(len(text) - m) if text[i:i + m] == pattern]
