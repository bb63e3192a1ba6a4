class Solution:
    def solve(self, text):
        kept = [ord(c) for c in text if c.isascii() and c.isalnum()]
        return all(abs(a - b) in (0, 32) for a, b in zip(kept, reversed(kept)))
