class Solution:
    def solve(self, text):
        kept = [c for c in text.casefold() if c.isascii() and c.isalnum()]
        return kept == kept[::-1]
