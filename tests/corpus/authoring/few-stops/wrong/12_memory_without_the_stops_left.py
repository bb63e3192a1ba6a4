class Solution:
    def solve(self, n, flights, start, goal, stops):
        near = [[] for _ in range(n)]
        for u, v, price in flights:
            near[u].append((v, price))
        memory = {}

        def cheapest(city, left):
            if city == goal:
                return 0
            if left == 0:
                return float("inf")
            if city not in memory:
                memory[city] = float("inf")
                memory[city] = min(
                    (price + cheapest(other, left - 1) for other, price in near[city]),
                    default=float("inf"),
                )
            return memory[city]

        found = cheapest(start, stops + 1)
        return -1 if found == float("inf") else found
