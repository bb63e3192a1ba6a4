class Solution:
    def solve(self, n, cables):
        parent, total = list(range(n)), 0

        def find(x):
            while parent[x] != x:
                x = parent[x]
            return x

        for a, b, price in sorted(cables, key=lambda c: c[2]):
            a, b = find(a), find(b)
            if a != b:
                parent[a] = b
                total += price
        return total
