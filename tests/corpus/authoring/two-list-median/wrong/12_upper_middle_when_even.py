from heapq import merge
from itertools import islice


class Solution:
    def solve(self, first, second):
        n = len(first) + len(second)
        middle = list(islice(merge(first, second), (n - 1) // 2, n // 2 + 1))
        return float(middle[-1])
