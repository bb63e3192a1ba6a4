class Solution:
    def solve(self, n, lines, k):
        none = (float("inf"), 0)
        best = [[none] * (k + 1) for _ in range(n)]
        best[0][0] = (0, 0)
        changed = True
        while changed:
            changed = False
            for a, b, price in lines:
                for here, there in ((best[a], best[b]), (best[b], best[a])):
                    for stamps, (cost, rides) in enumerate(here):
                        if cost == none[0]:
                            continue
                        after = stamps + 1 if price and stamps < k else stamps
                        if (cost + price, rides + 1) < there[after]:
                            there[after] = (cost + price, rides + 1)
                            changed = True
                        if stamps == k and (cost, rides + 1) < there[0]:
                            there[0] = (cost, rides + 1)
                            changed = True
        end = min(best[n - 1])
        return [] if end == none else list(end)
