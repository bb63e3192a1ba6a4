class Solution:
    def solve(self, text, need):
        best = ""
        for start in range(len(text)):
            at = start - 1
            for c in need:
                at = text.find(c, at + 1)
                if at < 0:
                    return best
            if not best or at - start + 1 < len(best):
                best = text[start:at + 1]
        return best
