class Solution:
    def solve(self, gas, cost):
        start = tank = total = 0
        for i, (g, c) in enumerate(zip(gas, cost)):
            tank += g - c
            total += g - c
            if tank <= 0:
                start, tank = i + 1, 0
        return start % len(gas) if total >= 0 else -1
