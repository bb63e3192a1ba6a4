class Solution:
    def solve(self, gas, cost):
        n, start = len(gas), 0
        while start < n:
            tank = 0
            for k in range(n):
                tank += gas[(start + k) % n] - cost[(start + k) % n]
                if tank < 0:
                    start += max(k, 2)
                    break
            else:
                return start
        return -1
