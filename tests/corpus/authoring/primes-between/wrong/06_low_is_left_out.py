class Solution:
    def solve(self, low, high):
        return sum(map(self.is_prime, range(low + 1, high + 1)))

    def is_prime(self, n):
        if n < 2:
            return False
        for p in (2, 3, 5, 7, 11, 13):
            if n % p == 0:
                return n == p
        d, twos = n - 1, 0
        while d % 2 == 0:
            d, twos = d // 2, twos + 1
        for base in (2, 3, 5, 7, 11):
            x = pow(base, d, n)
            if x in (1, n - 1):
                continue
            for _ in range(twos - 1):
                x = x * x % n
                if x == n - 1:
                    break
            else:
                return False
        return True
