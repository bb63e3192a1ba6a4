class Solution:
    def solve(self, n, flights, start, goal, stops):
        prices = {(u, v): price for u, v, price in flights}
        far = float("inf")
        cost = [far] * n
        cost[start] = 0
        for _ in range(stops + 1):
            after = cost[:]
            for (u, v), price in prices.items():
                after[v] = min(after[v], cost[u] + price)
            cost = after
        return -1 if cost[goal] == far else cost[goal]
