class Solution:
    def solve(self, words):
        groups = {}
        for word in words:
            counts = [0] * 26
            for c in word:
                counts[ord(c) - 97] += 1
            groups.setdefault("".join(map(str, counts)), []).append(word)
        return list(groups.values())
