class Solution:
    def solve(self, stock, orders):
        names, left = list(stock), list(stock.values())
        for name, amount in orders:
            if name not in names:
                names.append(name)
                left.append(0)
            at = [i for i, other in enumerate(names) if other == name][0]
            if amount <= left[at]:
                left[at] -= amount
        pairs = [(-pieces, name) for name, pieces in zip(names, left) if pieces]
        return [(name, -pieces) for pieces, name in sorted(pairs)]
