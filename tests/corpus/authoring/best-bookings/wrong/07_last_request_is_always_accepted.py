from bisect import bisect_right


class Solution:
    def solve(self, requests):
        requests = sorted(requests, key=lambda q: q[1])
        ends, best = [0], [0]
        for start, end, pay in requests[:-1]:
            best.append(max(best[-1], best[bisect_right(ends, start) - 1] + pay))
            ends.append(end)
        start, end, pay = requests[-1]
        return best[bisect_right(ends, start) - 1] + pay
