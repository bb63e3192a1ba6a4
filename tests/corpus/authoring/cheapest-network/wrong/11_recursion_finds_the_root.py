class Solution:
    def solve(self, n, cables):
        parent = list(range(n))

        def find(x):
            return x if parent[x] == x else find(parent[x])

        total = 0
        for a, b, price in sorted(cables, key=lambda c: c[2]):
            a, b = find(a), find(b)
            if a != b:
                parent[b if a > b else a] = a if a > b else b
                total += price
        return total
