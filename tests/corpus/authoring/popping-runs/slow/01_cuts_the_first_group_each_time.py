class Solution:
    def solve(self, text, k):
        found = True
        while found:
            found = False
            run = 0
            for i, letter in enumerate(text):
                run = run + 1 if i and text[i - 1] == letter else 1
                if run == k:
                    text = text[: i - k + 1] + text[i + 1 :]
                    found = True
                    break
        return text
