from collections import Counter


class Solution:
    def solve(self, words, k):
        counts = Counter(words)
        return sorted(counts, key=lambda word: (-counts[word], word))[:k]
