from itertools import groupby


class Solution:
    def solve(self, text, k):
        for _ in range(100):
            text = "".join(letter * (len(list(run)) % k) for letter, run in groupby(text))
        return text
