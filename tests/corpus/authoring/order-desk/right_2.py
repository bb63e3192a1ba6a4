class Solution:
    def solve(self, stock, orders):
        by_name = {}
        for number, (name, amount) in enumerate(orders):
            by_name.setdefault(name, []).append(amount)
        out = []
        for name in sorted(set(stock) | set(by_name)):
            pieces = stock.get(name, 0)
            for amount in by_name.get(name, []):
                if amount < 0 or pieces >= amount:
                    pieces -= amount
            if pieces:
                out.append([name, pieces])
        out.sort(key=lambda pair: pair[1], reverse=True)
        return out
