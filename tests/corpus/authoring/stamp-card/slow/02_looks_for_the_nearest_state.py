class Solution:
    def solve(self, n, lines, k):
        near = [[] for _ in range(n)]
        for a, b, price in lines:
            near[a].append((b, price))
            near[b].append((a, price))
        size = k + 1
        none = (float("inf"), 0)
        best = [none] * (n * size)
        best[0] = (0, 0)
        left = set(range(n * size))
        while left:
            state = min(left, key=best.__getitem__)
            if best[state] == none:
                break
            left.remove(state)
            cost, rides = best[state]
            town, stamps = divmod(state, size)
            for other, price in near[town]:
                to = other * size + (stamps + 1 if price and stamps < k else stamps)
                best[to] = min(best[to], (cost + price, rides + 1))
                if stamps == k:
                    best[other * size] = min(best[other * size], (cost, rides + 1))
        end = min(best[(n - 1) * size :])
        return [] if end == none else list(end)
