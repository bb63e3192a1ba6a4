from bisect import bisect_left


class Solution:
    def solve(self, requests, capacity, gap):
        times = sorted({t for start, end, _ in requests for t in (start, end + gap)})
        taken = [0] * len(times)
        accepted = []
        for i, (start, end, seats) in enumerate(requests):
            low, high = bisect_left(times, start), bisect_left(times, end + gap)
            for at in range(low, high):
                if taken[at] + seats > capacity:
                    break
                taken[at] += seats
            else:
                accepted.append(i)
        return accepted
