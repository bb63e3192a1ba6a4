class Solution:
    def solve(self, gas, cost):
        if sum(gas) < sum(cost):
            return -1
        n = len(gas)
        for start in sorted(range(n), key=lambda i: -gas[i]):
            tank = 0
            for k in range(start, start + n):
                tank += gas[k % n] - cost[k % n]
                if tank < 0:
                    break
            else:
                return start
        return -1
