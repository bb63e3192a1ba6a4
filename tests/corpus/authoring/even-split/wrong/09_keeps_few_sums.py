class Solution:
    def solve(self, weights):
        differences = {0}
        for w in weights:
            differences = {abs(d - w) for d in differences} | {d + w for d in differences}
            differences = set(sorted(differences)[:8])
        return min(differences)
