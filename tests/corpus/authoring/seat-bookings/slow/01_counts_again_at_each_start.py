class Solution:
    def solve(self, requests, capacity, gap):
        kept, accepted = [], []
        for i, (start, end, seats) in enumerate(requests):
            fits = seats <= capacity
            for time in [start] + [other[0] for other in kept]:
                if not start <= time < end + gap:
                    continue
                taken = seats
                for a, b, s in kept:
                    if a <= time < b + gap:
                        taken += s
                if taken > capacity:
                    fits = False
                    break
            if fits:
                kept.append((start, end, seats))
                accepted.append(i)
        return accepted
