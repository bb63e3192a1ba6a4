class Solution:
    def solve(self, words, text):
        known = []
        for word in sorted(set(words), key=len):
            if not any(word == a + b for a in known for b in known):
                known.append(word)
        ways = [1] + [0] * len(text)
        for end in range(1, len(text) + 1):
            for word in known:
                if text.endswith(word, 0, end):
                    ways[end] = (ways[end] + ways[end - len(word)]) % (10**9 + 7)
        return ways[-1]
