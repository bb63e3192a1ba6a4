class Solution:
    def solve(self, n, k):
        root = 0
        while (root + 1) ** k <= n:
            root += 1
        return root
