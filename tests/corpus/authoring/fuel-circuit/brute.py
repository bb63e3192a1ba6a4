class Solution:
    def solve(self, gas, cost):
        n = len(gas)
        for start in range(n):
            tank = 0
            for k in range(n):
                tank += gas[(start + k) % n] - cost[(start + k) % n]
                if tank < 0:
                    break
            else:
                return start
        return -1
