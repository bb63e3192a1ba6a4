class Solution:
    def solve(self, weights, limit):
        waiting = list(weights)
        trips = 0
        while waiting:
            taken = 1
            while taken < len(waiting) and sum(waiting[: taken + 1]) <= limit:
                taken += 1
            waiting = waiting[taken:]
            trips += 1
        return trips
