class Solution:
    def solve(self, words):
        groups = {}
        for word in words:
            bits = 0
            for c in word:
                bits ^= 1 << ord(c) - 97
            groups.setdefault((bits, len(word)), []).append(word)
        return list(groups.values())
