from bisect import bisect_left


class Solution:
    def solve(self, requests):
        ends, best = [-1], [0]
        for start, end, pay in sorted(requests, key=lambda q: q[1]):
            total = best[bisect_left(ends, start) - 1] + pay
            ends.append(end)
            best.append(max(best[-1], total))
        return best[-1]
