from bisect import bisect_left


class Solution:
    def solve(self, visitors):
        # A lit stretch is (first minute, last minute, minutes lit up to its end).
        lit = [(-2, -2, 0)]
        for start, end, need in sorted(visitors, key=lambda visitor: visitor[1]):
            place = bisect_left(lit, (start,)) - 1
            first, last, before = lit[place]
            need -= lit[-1][2] - before
            if start < last:
                need -= last - start + 1
            if need <= 0:
                continue
            while end - lit[-1][1] <= need:
                first, last, _ = lit.pop()
                need += last - first + 1
            lit.append((end - need + 1, end, lit[-1][2] + need))
        return lit[-1][2]
