class Solution:
    def solve(self, n, k):
        root = int(n ** (1 / k))
        if (root + 1) ** k <= n:
            return root + 1
        return root - 1 if root ** k > n else root
