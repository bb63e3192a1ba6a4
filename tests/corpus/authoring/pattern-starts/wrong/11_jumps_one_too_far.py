class Solution:
    def solve(self, text, pattern):
        m, out, i = len(pattern), [], 0
        last = {c: k for k, c in enumerate(pattern[:-1])}
        while i + m <= len(text):
            if text[i:i + m] == pattern:
                out.append(i)
                i += 1
            else:
                i += m - last.get(text[i + m - 1], 0)
        return out
