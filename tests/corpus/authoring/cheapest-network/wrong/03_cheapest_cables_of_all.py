class Solution:
    def solve(self, n, cables):
        prices = sorted(price for a, b, price in cables if a != b)
        return sum(prices[:n - 1])
