class Solution:
    def solve(self, text):
        kept = [c.lower() for c in text if c.isascii() and c.isalnum()]

        def same(i):
            return i >= len(kept) // 2 or kept[i] == kept[-1 - i] and same(i + 1)

        return same(0)
