from math import fsum


class Solution:
    def solve(self, values):
        kept = sorted(values)[1:-1] if len(values) > 10 else values
        mean = fsum(kept) / len(kept)
        return fsum((x - mean) ** 2 for x in kept) / (len(kept) - 1)
