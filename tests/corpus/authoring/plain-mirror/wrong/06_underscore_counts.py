import re


class Solution:
    def solve(self, text):
        kept = re.sub(r"[^\w]", "", text, flags=re.ASCII).lower()
        return kept == kept[::-1]
