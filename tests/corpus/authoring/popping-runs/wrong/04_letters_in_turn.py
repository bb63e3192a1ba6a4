class Solution:
    def solve(self, text, k):
        for letter in "abcdefghijklmnopqrstuvwxyz":
            while letter * k in text:
                text = text.replace(letter * k, "")
        return text
