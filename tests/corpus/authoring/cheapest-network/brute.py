from itertools import combinations


class Solution:
    def solve(self, n, cables):
        totals = []
        for chosen in combinations(cables, n - 1):
            group = list(range(n))
            for a, b, _ in chosen:
                group = [group[a] if g == group[b] else g for g in group]
            if len(set(group)) == 1:
                totals.append(sum(c[2] for c in chosen))
        return min(totals)
