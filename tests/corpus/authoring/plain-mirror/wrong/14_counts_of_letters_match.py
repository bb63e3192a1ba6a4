from collections import Counter


class Solution:
    def solve(self, text):
        kept = [c.lower() for c in text if c.isascii() and c.isalnum()]
        return sum(n % 2 for n in Counter(kept).values()) < 2 and kept[:1] == kept[-1:]
