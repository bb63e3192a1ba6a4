class Solution:
    def solve(self, order):
        where = [0] * len(order)
        for i, x in enumerate(order):
            where[x] = i
        now, swaps = list(order), 0
        for i in range(len(now)):
            if now[i] != i:
                j, x = where[i], now[i]
                now[i], now[j] = i, x
                where[x] = j
                swaps += 1
        return swaps
