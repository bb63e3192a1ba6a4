class Solution:
    def solve(self, n, flights, start, goal, stops):
        best = -1
        todo = [(start, 0, 0)]
        while todo:
            city, used, cost = todo.pop()
            if city == goal and (best < 0 or cost < best):
                best = cost
            if used <= min(stops, n):
                todo += [(v, used + 1, cost + price) for u, v, price in flights if u == city]
        return best
