class Solution:
    def solve(self, requests, capacity, gap):
        accepted = []
        for i, (start, end, seats) in enumerate(requests):
            kept = [requests[j] for j in accepted]
            times = [start]
            if all(
                sum(s for a, b, s in kept if a < end + gap and start < b + gap) + seats <= capacity
                for time in times
            ):
                accepted.append(i)
        return accepted
