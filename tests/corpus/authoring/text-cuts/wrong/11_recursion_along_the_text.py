from functools import lru_cache


class Solution:
    def solve(self, words, text):
        known = set(words)

        @lru_cache(None)
        def count(place):
            if place == len(text):
                return 1
            return sum(count(place + len(word)) for word in known if text.startswith(word, place))

        return count(0) % (10**9 + 7)
