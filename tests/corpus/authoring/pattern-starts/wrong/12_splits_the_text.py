class Solution:
    def solve(self, text, pattern):
        out, at = [], 0
        for part in text.split(pattern)[:-1]:
            at += len(part)
            out.append(at)
            back = at + 1
            while text.startswith(pattern, back) and back < at + len(pattern):
                out.append(back)
                back += 1
            at += len(pattern)
        return sorted(set(out))
