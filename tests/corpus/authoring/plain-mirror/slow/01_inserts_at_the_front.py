class Solution:
    def solve(self, text):
        kept, turned = [], []
        for c in text:
            if c.isascii() and c.isalnum():
                kept.append(c.lower())
                turned.insert(0, c.lower())
        return kept == turned
