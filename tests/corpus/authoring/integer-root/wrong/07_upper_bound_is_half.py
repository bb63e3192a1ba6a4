class Solution:
    def solve(self, n, k):
        low, high = 0, n // 2 + 1 if k > 1 else n + 1
        while high - low > 1:
            middle = (low + high) // 2
            if middle ** k <= n:
                low = middle
            else:
                high = middle
        return low
