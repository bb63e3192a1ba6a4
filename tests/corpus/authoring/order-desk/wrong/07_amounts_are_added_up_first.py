class Solution:
    def solve(self, stock, orders):
        wanted = {}
        for name, amount in orders:
            wanted[name] = wanted.get(name, 0) + amount
        left = dict(stock)
        for name, amount in wanted.items():
            if amount <= left.get(name, 0):
                left[name] = left.get(name, 0) - amount
        return sorted(
            ((name, pieces) for name, pieces in left.items() if pieces > 0),
            key=lambda pair: (-pair[1], pair[0]),
        )
