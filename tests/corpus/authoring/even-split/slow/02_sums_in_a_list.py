class Solution:
    def solve(self, weights):
        total, sums = sum(weights), [0]
        for w in weights:
            for s in sums[:]:
                if s + w not in sums:
                    sums.append(s + w)
        return min(abs(total - 2 * s) for s in sums)
