class Solution:
    def solve(self, words, text):
        known = sorted(set(words))

        def count(place, used):
            if place == len(text):
                return 1
            return sum(
                count(place + len(word), used | {word})
                for word in known
                if word not in used and text.startswith(word, place)
            )

        return count(0, frozenset()) % (10**9 + 7)
