class Solution:
    def solve(self, n, flights, start, goal, stops):
        near = [[] for _ in range(n)]
        for u, v, price in flights:
            near[u].append((v, price))
        far = float("inf")
        cost = [far] * n
        cost[start] = 0
        level = [start]
        for _ in range(stops + 1):
            after = []
            for city in level:
                for other, price in near[city]:
                    if cost[city] + price < cost[other]:
                        cost[other] = cost[city] + price
                        after.append(other)
            level = after
        return -1 if cost[goal] == far else cost[goal]
