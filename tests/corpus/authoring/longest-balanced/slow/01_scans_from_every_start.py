class Solution:
    def solve(self, s):
        best = 0
        for start in range(len(s)):
            depth = 0
            for i in range(start, len(s)):
                depth += 1 if s[i] == "(" else -1
                if depth < 0:
                    break
                if depth == 0 and i - start + 1 > best:
                    best = i - start + 1
        return best
