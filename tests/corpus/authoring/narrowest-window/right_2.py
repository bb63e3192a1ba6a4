from bisect import bisect_left, bisect_right


class Solution:
    def solve(self, windows, moments, most):
        places = sorted(set(moments))
        skip = list(range(len(places) + 1))
        first = {}
        by_length = sorted(range(len(windows)), key=lambda i: windows[i][1] - windows[i][0])
        for i in by_length:
            left, right = windows[i]
            if right - left > most:
                break
            at, end = bisect_left(places, left), bisect_right(places, right)
            while True:
                while skip[at] != at:
                    skip[at] = skip[skip[at]]
                    at = skip[at]
                if at >= end:
                    break
                first[places[at]] = i
                skip[at] = at + 1
        return [first.get(moment, -1) for moment in moments]
