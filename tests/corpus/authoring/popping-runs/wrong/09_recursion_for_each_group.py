class Solution:
    def solve(self, text, k):
        for i in range(len(text) - k + 1):
            if text[i : i + k] == text[i] * k:
                return self.solve(text[:i] + text[i + k :], k)
        return text
