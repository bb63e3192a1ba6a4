class Solution:
    def solve(self, first, second):
        both = first + second
        n = len(both)
        return (both[(n - 1) // 2] + both[n // 2]) / 2
