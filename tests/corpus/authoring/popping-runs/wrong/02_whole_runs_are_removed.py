import re


class Solution:
    def solve(self, text, k):
        pattern = re.compile(r"(.)\1{%d,}" % (k - 1))
        while pattern.search(text):
            text = pattern.sub("", text)
        return text
