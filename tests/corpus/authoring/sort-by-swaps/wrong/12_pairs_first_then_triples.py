class Solution:
    def solve(self, order):
        pairs = sum(order[x] == i and i < x for i, x in enumerate(order))
        rest = sum(x != i for i, x in enumerate(order)) - 2 * pairs
        return pairs + (2 * rest + 2) // 3
