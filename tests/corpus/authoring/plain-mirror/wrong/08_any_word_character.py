import re


class Solution:
    def solve(self, text):
        kept = re.sub(r"[\W_]", "", text).lower()
        return kept == kept[::-1]
