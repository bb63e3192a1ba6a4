class Solution:
    def solve(self, words, k):
        first, count = {}, {}
        for i, word in enumerate(words):
            first.setdefault(word, i)
            count[word] = count.get(word, 0) + 1
        buckets = [[] for _ in range(len(words))]
        for word in first:
            buckets[count[word]].append(word)
        out = [word for bucket in reversed(buckets) for word in bucket]
        return out[:k]
