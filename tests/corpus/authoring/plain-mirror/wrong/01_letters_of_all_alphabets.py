class Solution:
    def solve(self, text):
        kept = [c.lower() for c in text if c.isalnum()]
        return kept == kept[::-1]
