import re


class Solution:
    def solve(self, text):
        kept = re.sub("[^0-9A-Za-z]", "", text)
        return kept == kept[::-1]
