class Solution:
    def solve(self, n, flights, start, goal, stops):
        far = 10**5
        cost = [far] * n
        cost[start] = 0
        for _ in range(stops + 1):
            after = cost[:]
            for u, v, price in flights:
                if cost[u] + price < after[v]:
                    after[v] = cost[u] + price
            if after == cost:
                break
            cost = after
        return -1 if cost[goal] >= far else cost[goal]
