class Solution:
    def solve(self, s):
        best = 0
        for i in range(len(s)):
            for j in range(i + 2, len(s) + 1, 2):
                piece = s[i:j]
                while "()" in piece:
                    piece = piece.replace("()", "")
                if not piece:
                    best = max(best, j - i)
        return best
