class Solution:
    def solve(self, weights):
        differences = {weights[0]}
        for w in weights[1:] or weights:
            differences = {abs(d - w) for d in differences} | {d + w for d in differences}
        return min(differences)
