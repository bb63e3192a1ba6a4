class Solution:
    def solve(self, words):
        groups = {}
        for word in words:
            groups.setdefault((len(word), sum(map(ord, word))), []).append(word)
        return list(groups.values())
