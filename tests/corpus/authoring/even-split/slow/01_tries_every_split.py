class Solution:
    def solve(self, weights):
        def best(i, difference):
            if i == len(weights):
                return abs(difference)
            return min(best(i + 1, difference + weights[i]), best(i + 1, difference - weights[i]))

        return best(0, 0)
