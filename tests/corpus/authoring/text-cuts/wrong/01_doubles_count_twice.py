class Solution:
    def solve(self, words, text):
        known = words
        ways = [0] * len(text) + [1]
        for start in range(len(text) - 1, -1, -1):
            total = 0
            for word in known:
                if text.startswith(word, start):
                    total += ways[start + len(word)]
            ways[start] = total % 1000000007
        return ways[0]
