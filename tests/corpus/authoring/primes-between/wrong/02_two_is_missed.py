class Solution:
    def solve(self, low, high):
        count = 0
        for n in range(max(3, low | 1), high + 1, 2):
            d = 3
            while d * d <= n and n % d:
                d += 2
            count += d * d > n
        return count
