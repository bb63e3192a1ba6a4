class Solution:
    def solve(self, low, high):
        count = 0
        for n in range(max(2, low), high + 1):
            d = 2
            while d * d <= n and n % d:
                d += 1
            count += d * d > n
        return count
