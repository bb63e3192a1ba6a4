from heapq import merge
from itertools import islice


class Solution:
    def solve(self, first, second):
        both = sorted(set(first + second))
        n = len(both)
        middle = list(islice(both, (n - 1) // 2, n // 2 + 1))
        return sum(middle) / len(middle)
