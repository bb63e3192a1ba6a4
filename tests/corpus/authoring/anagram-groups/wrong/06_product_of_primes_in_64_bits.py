class Solution:
    def solve(self, words):
        primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41]
        primes += [43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101]
        groups = {}
        for word in words:
            key = 1
            for c in word:
                key = key * primes[ord(c) - 97] % 2**64
            groups.setdefault(key, []).append(word)
        return list(groups.values())
