class Solution:
    def solve(self, words, k):
        different = list(dict.fromkeys(words))
        return sorted(different, key=lambda word: -words.count(word))[:k]
