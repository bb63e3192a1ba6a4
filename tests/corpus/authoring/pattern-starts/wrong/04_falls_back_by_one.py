class Solution:
    def solve(self, text, pattern):
        fail, j = [0], 0
        for c in pattern[1:]:
            while j and pattern[j] != c:
                j = fail[j - 1]
            j += pattern[j] == c
            fail.append(j)
        out, j = [], 0
        for i, c in enumerate(text):
            while j and (j == len(pattern) or pattern[j] != c):
                j -= 1
            j += pattern[j] == c
            if j == len(pattern):
                out.append(i - j + 1)
        return out
