class Solution:
    def solve(self, first, second):
        both = list(first)
        for x in second:
            i = 0
            while i < len(both) and both[i] < x:
                i += 1
            both.insert(i, x)
        n = len(both)
        return (both[(n - 1) // 2] + both[n // 2]) / 2
