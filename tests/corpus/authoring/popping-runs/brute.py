class Solution:
    def solve(self, text, k):
        changed = True
        while changed:
            changed = False
            for i in range(len(text) - k + 1):
                if text[i : i + k] == text[i] * k:
                    text = text[:i] + text[i + k :]
                    changed = True
                    break
        return text
