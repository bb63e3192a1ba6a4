class Solution:
    def solve(self, n, lines, k):
        best = {(0, 0): (0, 0)}
        changed = True
        while changed:
            changed = False
            for a, b, price in lines:
                for here, there in ((a, b), (b, a)):
                    for stamps in range(k + 1):
                        if (here, stamps) not in best:
                            continue
                        cost, rides = best[here, stamps]
                        after = min(k, stamps + 1) if price > 0 else stamps
                        found = [((there, after), (cost + price, rides + 1))]
                        if stamps == k:
                            found.append(((there, 0), (cost, rides + 1)))
                        for state, value in found:
                            if state not in best or value < best[state]:
                                best[state] = value
                                changed = True
        ends = [best[n - 1, stamps] for stamps in range(k + 1) if (n - 1, stamps) in best]
        return list(min(ends)) if ends else []
