class Solution:
    def solve(self, first, second):
        rest = first + second
        while len(rest) > 2:
            rest.remove(min(rest))
            rest.remove(max(rest))
        return sum(rest) / len(rest)
