class Solution:
    def solve(self, weights):
        total, sums = sum(weights), 1
        for w in weights:
            sums |= sums << w
        half = total // 2
        while not sums >> half & 1:
            half -= 1
        return total - 2 * half
