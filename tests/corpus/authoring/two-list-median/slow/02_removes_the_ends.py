class Solution:
    def solve(self, first, second):
        rest = list(first) + second
        while len(rest) > 2:
            rest.remove(min(rest))
            rest.remove(max(rest))
        return sum(rest) / len(rest)
