class Solution:
    def solve(self, words, text):
        root = {}
        for word in words:
            node = root
            for letter in word:
                node = node.setdefault(letter, {})
        ways = [1] + [0] * len(text)
        for start in range(len(text)):
            node = root
            for end in range(start, len(text)):
                node = node.get(text[end])
                if node is None:
                    break
                if not node:
                    ways[end + 1] = (ways[end + 1] + ways[start]) % (10**9 + 7)
        return ways[-1]
