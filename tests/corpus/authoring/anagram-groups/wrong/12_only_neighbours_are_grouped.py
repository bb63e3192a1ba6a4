from itertools import groupby


class Solution:
    def solve(self, words):
        return [list(group) for _, group in groupby(words, key=sorted)]
