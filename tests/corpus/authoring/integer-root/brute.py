class Solution:
    def solve(self, n, k):
        root = 0
        for place in range(len(str(n)), -1, -1):
            while (root + 10 ** place) ** k <= n:
                root += 10 ** place
        return root
