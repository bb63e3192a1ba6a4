from itertools import combinations


class Solution:
    def solve(self, num, k):
        kept = combinations(num, len(num) - k)
        return str(min(int("".join(digits) or "0") for digits in kept))
