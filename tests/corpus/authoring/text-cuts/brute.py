class Solution:
    def solve(self, words, text):
        def count(rest):
            if not rest:
                return 1
            return sum(count(rest[len(word) :]) for word in set(words) if rest.startswith(word))

        return count(text) % (10**9 + 7)
