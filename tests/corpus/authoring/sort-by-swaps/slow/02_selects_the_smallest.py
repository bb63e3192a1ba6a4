class Solution:
    def solve(self, order):
        now, swaps = list(order), 0
        for i in range(len(now)):
            best = i
            for j in range(i + 1, len(now)):
                if now[j] < now[best]:
                    best = j
            if best != i:
                now[i], now[best] = now[best], now[i]
                swaps += 1
        return swaps
