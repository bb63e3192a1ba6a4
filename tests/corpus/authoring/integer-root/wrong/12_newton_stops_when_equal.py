class Solution:
    def solve(self, n, k):
        if n < 2 or k == 1:
            return n
        x = 1 << -(-n.bit_length() // k)
        while True:
            y = ((k - 1) * x + n // x ** (k - 1)) // k
            if abs(y - x) < 2:
                return y
            x = y
