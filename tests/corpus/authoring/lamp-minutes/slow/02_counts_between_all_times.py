from bisect import bisect_left


class Solution:
    def solve(self, visitors):
        times = sorted({t for start, end, _ in visitors for t in (start, end + 1)})
        lit = [0] * len(times)
        for start, end, need in sorted(visitors, key=lambda visitor: visitor[1]):
            first, beyond = bisect_left(times, start), bisect_left(times, end + 1)
            for place in range(first, beyond):
                need -= lit[place]
            place = beyond - 1
            while need > 0:
                more = min(need, times[place + 1] - times[place] - lit[place])
                lit[place] += more
                need -= more
                place -= 1
        return sum(lit)
