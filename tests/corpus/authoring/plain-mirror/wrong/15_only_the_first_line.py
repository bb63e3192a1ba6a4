import re


class Solution:
    def solve(self, text):
        kept = re.sub("[^0-9A-Za-z]", "", text.split("\n")[0]).lower()
        return kept == kept[::-1]
