class Solution:
    def solve(self, n, rides, start, goal, ready, change):
        if start == goal:
            return [ready, ready]
        never = float("inf")
        arrival = [never] * n
        arrival[start] = ready
        for _ in range(n):
            for a, b, first, period, count, duration in rides:
                if arrival[a] == never:
                    continue
                able = arrival[a] if a == start else arrival[a] + change
                turn = max(0, -((first - able) // period))
                then = first + turn * period + duration
                if turn < count and then < arrival[b]:
                    arrival[b] = then
        if arrival[goal] == never:
            return []
        latest = [-never] * n
        latest[goal] = arrival[goal]
        for _ in range(n):
            for a, b, first, period, count, duration in rides:
                if latest[b] == -never:
                    continue
                turn = min(count - 1, (latest[b] - duration - first) // period)
                if turn < 0:
                    continue
                then = first + turn * period - (0 if a == start else change)
                if then > latest[a]:
                    latest[a] = then
        return [arrival[goal], latest[start]]
