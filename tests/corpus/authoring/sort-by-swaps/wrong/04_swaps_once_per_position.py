class Solution:
    def solve(self, order):
        now, swaps = list(order), 0
        for i in range(len(now)):
            if now[i] != i:
                j = now[i]
                now[i], now[j] = now[j], now[i]
                swaps += 1
        return swaps
