class Solution:
    def solve(self, n, k):
        root = round(n ** (1 / k))
        return root if root ** k <= n else root - 1
