class Solution:
    def solve(self, weights, limit):
        trips, load = 0, 0
        for weight in weights:
            if trips == 0 or load + weight > limit:
                trips += 1
                load = 0
            load += weight
        return trips
