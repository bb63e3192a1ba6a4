from bisect import bisect_right


class Solution:
    def solve(self, requests):
        last = {end: (start, pay) for start, end, pay in requests}
        ends, best = [0], [0]
        for end in sorted(last):
            start, pay = last[end]
            best.append(max(best[-1], best[bisect_right(ends, start) - 1] + pay))
            ends.append(end)
        return best[-1]
