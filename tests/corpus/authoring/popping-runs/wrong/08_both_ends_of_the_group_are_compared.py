class Solution:
    def solve(self, text, k):
        out = []
        for letter in text:
            out.append(letter)
            if len(out) >= k and out[-k] == letter and out[-k + k // 2] == letter:
                del out[len(out) - k :]
        return "".join(out)
