class Solution:
    def solve(self, n, cables):
        group, total = list(range(n)), 0
        for a, b, price in sorted(cables, key=lambda c: c[2]):
            one, two = group[a], group[b]
            if one != two:
                group = [one if g == two else g for g in group]
                total += price
        return total
