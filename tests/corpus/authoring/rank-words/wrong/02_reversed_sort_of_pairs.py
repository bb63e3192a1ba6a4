from collections import Counter


class Solution:
    def solve(self, words, k):
        counts = Counter(words)
        pairs = sorted(((count, word) for word, count in counts.items()), reverse=True)
        return [word for _, word in pairs[:k]]
