class Solution:
    def solve(self, order):
        seen, swaps = [False] * len(order), 0
        for start in range(len(order)):
            i, length = start, 0
            while not seen[i]:
                seen[i] = True
                i = order[i]
                length += 1
            swaps = max(swaps, length - 1)
        return swaps
