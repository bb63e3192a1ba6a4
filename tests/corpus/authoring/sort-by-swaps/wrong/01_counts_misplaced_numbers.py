class Solution:
    def solve(self, order):
        return max(0, sum(i != x for i, x in enumerate(order)) - 1)
