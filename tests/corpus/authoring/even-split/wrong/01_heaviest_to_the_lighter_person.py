class Solution:
    def solve(self, weights):
        one = two = 0
        for w in sorted(weights, reverse=True):
            if one <= two:
                one += w
            else:
                two += w
        return abs(one - two)
