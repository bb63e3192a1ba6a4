class Solution:
    def solve(self, words, text):
        known = sorted(set(words), key=len, reverse=True)
        place = 0
        while place < len(text):
            for word in known:
                if text.startswith(word, place):
                    place += len(word)
                    break
            else:
                return 0
        return 1
