class Solution:
    def solve(self, n, k):
        return int(n ** (1 / k))
