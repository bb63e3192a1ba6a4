class Solution:
    def solve(self, order):
        n = len(order)
        return sum(order[i] > order[j] for i in range(n) for j in range(i + 1, n))
