class Solution:
    def solve(self, words):
        groups = {}
        for word in words:
            groups.setdefault("".join(sorted(set(word))), []).append(word)
        return list(groups.values())
