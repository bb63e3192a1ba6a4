class Solution:
    def solve(self, words, text):
        known = set(words)
        longest = max(map(len, words))
        ways = [1] + [0] * len(text)
        for end in range(1, len(text) + 1):
            for length in range(1, min(end, longest) + 1):
                if text[end - length : end] in known:
                    ways[end] += ways[end - length]
        return ways[-1]
