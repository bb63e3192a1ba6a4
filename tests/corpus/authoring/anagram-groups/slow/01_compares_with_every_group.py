from collections import Counter


class Solution:
    def solve(self, words):
        out = []
        for word in list(words):
            for group in out:
                if Counter(group[0]) == Counter(word):
                    group.append(word)
                    break
            else:
                out.append([word])
        return out
