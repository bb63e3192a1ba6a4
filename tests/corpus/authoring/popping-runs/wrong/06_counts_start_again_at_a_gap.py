class Solution:
    def solve(self, text, k):
        out, count, last = [], 0, ""
        for letter in text:
            count = count + 1 if letter == last else 1
            last = letter
            out.append(letter)
            if count == k:
                del out[len(out) - k :]
                last = out[-1] if out else ""
                count = 1 if out else 0
        return "".join(out)
