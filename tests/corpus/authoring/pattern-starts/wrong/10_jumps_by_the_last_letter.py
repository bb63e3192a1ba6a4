class Solution:
    def solve(self, text, pattern):
        m, out, i = len(pattern), [], 0
        last = {c: k for k, c in enumerate(pattern)}
        while i + m <= len(text):
            k = m - 1
            while k >= 0 and text[i + k] == pattern[k]:
                k -= 1
            if k < 0:
                out.append(i)
                i += 1
            else:
                i += max(1, abs(k - last.get(text[i + k], -1)))
        return out
