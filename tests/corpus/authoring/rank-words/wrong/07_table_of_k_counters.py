class Solution:
    def solve(self, words, k):
        counts = {}
        for word in words:
            if word in counts or len(counts) < 2 * k:
                counts[word] = counts.get(word, 0) + 1
        return sorted(counts, key=lambda word: -counts[word])[:k]
