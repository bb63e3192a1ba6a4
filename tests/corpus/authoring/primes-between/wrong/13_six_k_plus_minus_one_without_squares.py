class Solution:
    def solve(self, low, high):
        count = (low <= 2 <= high) + (low <= 3 <= high)
        for n in range(max(low, 5), high + 1):
            if n % 6 in (1, 5):
                d = 5
                while d * d < n and n % d and n % (d + 2):
                    d += 6
                count += d * d >= n
        return count
