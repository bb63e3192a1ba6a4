class Solution:
    def solve(self, order):
        seen, swaps = [False] * len(order), 0
        seen[0] = True
        for start in range(1, len(order)):
            i, length = start, 0
            while not seen[i]:
                seen[i] = True
                i = order[i]
                length += 1
            swaps += max(0, length - 1)
        return swaps
