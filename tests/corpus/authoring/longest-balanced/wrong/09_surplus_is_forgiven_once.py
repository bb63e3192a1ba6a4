class Solution:
    def solve(self, s):
        best = 0
        for text, opening in ((s, "("), (s[::-1], ")")):
            opened = closed = 0
            for c in text:
                if c == opening:
                    opened += 1
                else:
                    closed += 1
                if opened == closed:
                    best = max(best, 2 * opened)
                elif closed > opened + 1:
                    opened = closed = 0
        return best
