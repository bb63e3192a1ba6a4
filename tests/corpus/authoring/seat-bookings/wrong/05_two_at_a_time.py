class Solution:
    def solve(self, requests, capacity, gap):
        accepted = []
        for i, (start, end, seats) in enumerate(requests):
            kept = [requests[j] for j in accepted]
            times = [start] + [other[0] for other in kept if start <= other[0] < end + gap]
            if seats <= capacity and all(
                s + seats <= capacity
                for a, b, s in kept
                if a < end + gap and start < b + gap
            ):
                accepted.append(i)
        return accepted
