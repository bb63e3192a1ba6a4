class Solution:
    def solve(self, text, k):
        out = []
        for letter in text:
            out.append(letter)
            if out[-k:] == [letter] * k:
                del out[len(out) - k :]
        return "".join(out)
