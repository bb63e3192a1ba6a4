class Solution:
    def solve(self, n, flights, start, goal, stops):
        near = [[] for _ in range(n)]
        for u, v, price in flights:
            near[u].append((v, price))
        best, todo = float("inf"), [(start, 0, 0)]
        while todo:
            city, used, cost = todo.pop()
            if city == goal:
                best = min(best, cost)
                continue
            if used <= min(stops, n):
                todo += [(other, used + 1, cost + price) for other, price in near[city]]
        return -1 if best == float("inf") else best
