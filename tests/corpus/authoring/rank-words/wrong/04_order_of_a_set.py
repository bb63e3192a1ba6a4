class Solution:
    def solve(self, words, k):
        counts = {word: 0 for word in set(words)}
        for word in words:
            counts[word] += 1
        return sorted(counts, key=counts.get, reverse=True)[:k]
