import re


class Solution:
    def solve(self, text):
        kept = re.sub("[^0-9A-z]", "", text).lower()
        return kept == kept[::-1]
