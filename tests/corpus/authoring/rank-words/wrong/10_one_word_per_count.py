from collections import Counter


class Solution:
    def solve(self, words, k):
        by_count = {}
        for word, count in Counter(words).items():
            by_count.setdefault(count, word)
        best = [by_count[count] for count in sorted(by_count, reverse=True)]
        rest = [word for word in dict.fromkeys(words) if word not in best]
        return (best + rest)[:k]
