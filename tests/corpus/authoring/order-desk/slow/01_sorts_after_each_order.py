class Solution:
    def solve(self, stock, orders):
        left = sorted([-pieces, name] for name, pieces in stock.items())
        for name, amount in orders:
            for pair in left:
                if pair[1] == name:
                    if amount <= -pair[0]:
                        pair[0] += amount
                    break
            else:
                if amount < 0:
                    left.append([amount, name])
            left.sort()
        return [(name, -pieces) for pieces, name in left if pieces]
