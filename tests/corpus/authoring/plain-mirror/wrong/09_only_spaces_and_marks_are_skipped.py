from string import punctuation, whitespace


class Solution:
    def solve(self, text):
        kept = text.translate(dict.fromkeys(map(ord, punctuation + whitespace))).lower()
        return kept == kept[::-1]
