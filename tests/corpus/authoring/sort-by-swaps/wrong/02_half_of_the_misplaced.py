class Solution:
    def solve(self, order):
        return (sum(i != x for i, x in enumerate(order)) + 1) // 2
