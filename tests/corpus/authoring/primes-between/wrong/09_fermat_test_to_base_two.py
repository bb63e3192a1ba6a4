class Solution:
    def solve(self, low, high):
        return sum(n == 2 or n > 2 and pow(2, n - 1, n) == 1 for n in range(low, high + 1))
