class Solution:
    def solve(self, text, pattern):
        out = []
        for i in range(len(text) - len(pattern) + 1):
            k = 0
            while k < len(pattern) and text[i + k] == pattern[k]:
                k += 1
            if k == len(pattern):
                out.append(i)
        return out
