class Solution:
    def solve(self, text, pattern):
        m = len(pattern)
        return [i for i in range(len(text)) if text[i:i + m] == pattern]
