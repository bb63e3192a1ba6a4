from collections import Counter
from itertools import groupby


class Solution:
    def solve(self, words, k):
        counts = Counter(words)
        runs = Counter(word for word, _ in groupby(words))
        return sorted(counts, key=lambda word: (-counts[word], -runs[word]))[:k]
