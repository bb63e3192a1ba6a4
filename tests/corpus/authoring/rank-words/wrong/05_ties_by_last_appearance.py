class Solution:
    def solve(self, words, k):
        counts = {}
        for word in words:
            counts[word] = counts.pop(word, 0) + 1
        return sorted(counts, key=lambda word: -counts[word])[:k]
