class Solution:
    def solve(self, n, cables):
        parent = list(range(n))

        def find(x):
            while parent[x] != x:
                parent[x] = parent[parent[x]]
                x = parent[x]
            return x

        total = 0
        for a, b, price in sorted(cables, key=lambda c: c[2]):
            a, b = find(a), find(b)
            if a != b:
                parent[a] = b
                total += price
            else:
                break
        return total
