class Solution:
    def solve(self, words):
        groups = {}
        for word in words:
            groups.setdefault((len(word), sum(ord(c) ** 2 for c in word)), []).append(word)
        return list(groups.values())
