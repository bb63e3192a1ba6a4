class Solution:
    def solve(self, n, k):
        root, step = 0, 1000
        while step:
            while (root + step) ** k <= n:
                root += step
            step //= 10
        return root
