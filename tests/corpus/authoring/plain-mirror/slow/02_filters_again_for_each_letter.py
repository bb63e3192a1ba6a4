class Solution:
    def solve(self, text):
        i = 0
        while True:
            kept = [c.lower() for c in text if c.isascii() and c.isalnum()]
            if 2 * i >= len(kept):
                return True
            if kept[i] != kept[-1 - i]:
                return False
            i += 1
