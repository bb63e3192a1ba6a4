from bisect import bisect_right


class Solution:
    def solve(self, requests):
        ends, best = [0], [0]
        for start, end, pay in sorted(requests, key=lambda q: q[1]):
            total = best[bisect_right(ends, start) - 1] + pay
            ends.append(end)
            best.append(total)
        return max(best)
