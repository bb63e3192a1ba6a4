class Solution:
    def solve(self, n, lines, k):
        near = [[] for _ in range(n)]
        for a, b, price in lines:
            near[a].append((b, price))
            near[b].append((a, price))
        best = {(0, 0): (0, 0)}
        stack = [(0, 0)]
        while stack:
            state = stack.pop()
            town, stamps = state
            cost, rides = best[state]
            for other, price in near[town]:
                after = stamps + 1 if price and stamps < k else stamps
                found = [((other, after), (cost + price, rides + 1))]
                if stamps == k:
                    found.append(((other, 0), (cost, rides + 1)))
                for to, value in found:
                    if to not in best or value < best[to]:
                        best[to] = value
                        stack.append(to)
        ends = [value for (town, _), value in best.items() if town == n - 1]
        return list(min(ends)) if ends else []
