class Solution:
    def solve(self, stock, orders):
        left = dict(stock)
        for name, amount in orders:
            if amount <= left.get(name, 0):
                left[name] = left.get(name, 0) - amount
        return sorted(
            ((name, pieces) for name, pieces in left.items() if pieces >= 0),
            key=lambda pair: (-pair[1], pair[0]),
        )
