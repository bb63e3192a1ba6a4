import re


class Solution:
    def solve(self, text):
        kept = re.sub("[^A-Za-z]", "", text).lower()
        return kept == kept[::-1]
