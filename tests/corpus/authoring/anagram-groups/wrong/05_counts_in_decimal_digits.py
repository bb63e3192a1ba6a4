class Solution:
    def solve(self, words):
        groups = {}
        for word in words:
            key = sum(10 ** (ord(c) - 97) for c in word)
            groups.setdefault(key, []).append(word)
        return list(groups.values())
