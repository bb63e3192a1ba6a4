class Solution:
    def solve(self, gas, cost):
        height, lowest, after = 0, 0, 0
        for i in range(len(gas)):
            height += gas[i] - cost[i]
            if height <= lowest:
                lowest, after = height, i + 1
        return -1 if height < 0 else after % len(gas)
