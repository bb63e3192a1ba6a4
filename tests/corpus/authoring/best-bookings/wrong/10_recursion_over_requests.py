from bisect import bisect_left
from functools import cache


class Solution:
    def solve(self, requests):
        requests = sorted(requests)
        starts = [q[0] for q in requests]

        @cache
        def best(i):
            if i == len(requests):
                return 0
            return max(best(i + 1), requests[i][2] + best(bisect_left(starts, requests[i][1])))

        return best(0)
