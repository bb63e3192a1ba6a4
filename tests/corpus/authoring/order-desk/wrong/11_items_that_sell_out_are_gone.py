class Solution:
    def solve(self, stock, orders):
        left = dict(stock)
        for name, amount in orders:
            if name not in left and name in stock:
                continue
            if amount <= left.get(name, 0):
                left[name] = left.get(name, 0) - amount
                if left[name] == 0:
                    del left[name]
        return sorted(
            ((name, pieces) for name, pieces in left.items() if pieces > 0),
            key=lambda pair: (-pair[1], pair[0]),
        )
