from itertools import groupby


class Solution:
    def solve(self, text, k):
        return "".join(letter * (len(list(run)) % k) for letter, run in groupby(text))
