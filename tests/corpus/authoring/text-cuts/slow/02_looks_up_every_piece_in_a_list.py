class Solution:
    def solve(self, words, text):
        known = list(set(words))
        ways = [1] + [0] * len(text)
        for end in range(1, len(text) + 1):
            for start in range(end):
                if text[start:end] in known:
                    ways[end] += ways[start]
            ways[end] %= 10**9 + 7
        return ways[-1]
