class Solution:
    def solve(self, requests, capacity, gap):
        events = {}
        accepted = []
        for i, (start, end, seats) in enumerate(requests):
            end += gap
            now, fits = 0, seats <= capacity
            for time, change in sorted(events.items()):
                if time >= end:
                    break
                if time > start and now + seats > capacity:
                    fits = False
                    break
                now += change
            if fits and now + seats <= capacity:
                events[start] = seats
                events[end] = -seats
                accepted.append(i)
        return accepted
