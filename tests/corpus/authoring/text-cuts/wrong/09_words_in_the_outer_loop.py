class Solution:
    def solve(self, words, text):
        ways = [1] + [0] * len(text)
        for word in dict.fromkeys(words):
            for end in range(len(word), len(text) + 1):
                if text[:end].endswith(word):
                    ways[end] = (ways[end] + ways[end - len(word)]) % (10**9 + 7)
        return ways[-1]
