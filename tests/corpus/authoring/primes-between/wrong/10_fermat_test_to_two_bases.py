class Solution:
    def solve(self, low, high):
        found = sum(pow(2, n - 1, n) == 1 == pow(3, n - 1, n) for n in range(max(low, 4), high + 1))
        return found + (low <= 2 <= high) + (low <= 3 <= high)
