from bisect import insort


class Solution:
    def solve(self, requests, capacity, gap):
        events = []
        accepted = []
        for i, (start, end, seats) in enumerate(requests):
            end += gap
            now, fits = 0, seats <= capacity
            for time, change in events:
                if time >= end:
                    break
                if time > start and now + seats > capacity:
                    fits = False
                    break
                now += change
            if fits and now + seats <= capacity:
                insort(events, (start, seats))
                insort(events, (end, -seats))
                accepted.append(i)
        return accepted
