class Solution:
    def solve(self, values):
        mean = spread = 0.0
        for n, x in enumerate(values, 1):
            step = x - mean
            mean += step / n
            spread += step * (x - mean)
        return spread / (len(values) - 1)
