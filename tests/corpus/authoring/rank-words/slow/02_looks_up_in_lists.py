class Solution:
    def solve(self, words, k):
        names, counts = [], []
        for word in words:
            if word in names:
                counts[names.index(word)] += 1
            else:
                names.append(word)
                counts.append(1)
        order = sorted(range(len(names)), key=lambda i: -counts[i])
        return [names[i] for i in order[:k]]
