class Solution:
    def solve(self, requests, capacity, gap):
        accepted = []
        for i, (start, end, seats) in enumerate(requests):
            kept = [requests[j] for j in accepted]
            times = [start] + [other[0] for other in kept if start <= other[0] < end + gap]
            if all(
                sum(s for a, b, s in kept if a - gap <= time < b + gap) + seats <= capacity
                for time in times
            ):
                accepted.append(i)
        return accepted
