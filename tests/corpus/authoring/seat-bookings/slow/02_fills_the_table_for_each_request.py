from bisect import bisect_left


class Solution:
    def solve(self, requests, capacity, gap):
        times = sorted({t for start, end, _ in requests for t in (start, end + gap)})
        accepted = []
        for i in range(len(requests)):
            taken = [0] * len(times)
            for j in [*accepted, i]:
                start, end, seats = requests[j]
                low, high = bisect_left(times, start), bisect_left(times, end + gap)
                for at in range(low, high):
                    taken[at] += seats
            if max(taken) <= capacity:
                accepted.append(i)
        return accepted
