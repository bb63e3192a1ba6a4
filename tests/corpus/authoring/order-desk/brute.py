class Solution:
    def solve(self, stock, orders):
        left = [[name, pieces] for name, pieces in stock.items()]
        for name, amount in orders:
            found = [pair for pair in left if pair[0] == name]
            if not found:
                found = [[name, 0]]
                left.append(found[0])
            if found[0][1] - amount >= 0:
                found[0][1] -= amount
        out = []
        rest = [pair for pair in left if pair[1]]
        while rest:
            best = rest[0]
            for pair in rest:
                if pair[1] > best[1] or pair[1] == best[1] and pair[0] < best[0]:
                    best = pair
            rest.remove(best)
            out.append(best)
        return out
