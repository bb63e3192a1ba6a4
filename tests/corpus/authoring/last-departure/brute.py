class Solution:
    def solve(self, n, rides, start, goal, ready, change):
        if start == goal:
            return [ready, ready]
        # latest[station, arrival]: the latest first departure of a journey that arrives then
        latest = {}
        todo = []
        trips = []
        for a, b, first, period, count, duration in rides:
            for turn in range(count):
                leave = first + turn * period
                trips.append((a, leave, b, leave + duration))
                if a == start and leave >= ready:
                    todo.append((b, leave + duration, leave))
        while todo:
            station, moment, departure = todo.pop()
            if latest.get((station, moment), -1) >= departure:
                continue
            latest[station, moment] = departure
            for a, leave, b, arrive in trips:
                if a == station and leave >= moment + change:
                    todo.append((b, arrive, departure))
        ends = [(moment, -departure) for (station, moment), departure in latest.items() if station == goal]
        if not ends:
            return []
        moment, departure = min(ends)
        return [moment, -departure]
