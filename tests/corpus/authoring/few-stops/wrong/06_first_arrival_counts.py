class Solution:
    def solve(self, n, flights, start, goal, stops):
        near = [[] for _ in range(n)]
        for u, v, price in flights:
            near[u].append((v, price))
        level = {start: 0}
        for _ in range(stops + 2):
            if goal in level:
                return level[goal]
            after = {}
            for city, cost in level.items():
                for other, price in near[city]:
                    after[other] = min(after.get(other, cost + price), cost + price)
            level = after
        return -1
