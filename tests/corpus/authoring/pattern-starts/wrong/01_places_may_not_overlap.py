class Solution:
    def solve(self, text, pattern):
        out, at = [], text.find(pattern)
        while at >= 0:
            out.append(at)
            at = text.find(pattern, at + len(pattern))
        return out
