class Solution:
    def solve(self, text, pattern):
        fail = []
        for i in range(len(pattern)):
            k = i
            while k and any(pattern[x] != pattern[i - k + 1 + x] for x in range(k)):
                k -= 1
            fail.append(k)
        out, j = [], 0
        for i, c in enumerate(text):
            while j and (j == len(pattern) or pattern[j] != c):
                j = fail[j - 1]
            j += pattern[j] == c
            if j == len(pattern):
                out.append(i - j + 1)
        return out
