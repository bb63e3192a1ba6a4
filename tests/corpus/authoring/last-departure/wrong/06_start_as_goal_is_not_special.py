from heapq import heappop, heappush


class Solution:
    def solve(self, n, rides, start, goal, ready, change):
        lines = {}
        for a, b, first, period, count, duration in rides:
            lines.setdefault(a, []).append((first, first + (count - 1) * period, period, duration, b))

        def arrives(moment, bound):
            """Return the earliest arrival of those who are ready at a moment, None if it is after the bound."""
            earliest = {start: moment - change}
            heap = [(moment - change, start)]
            while heap:
                now, a = heappop(heap)
                if a == goal:
                    return now
                if now != earliest[a]:
                    continue
                now += change
                for first, last, period, duration, b in lines.get(a, ()):
                    if now > last:
                        continue
                    leave = first if now <= first else now + (first - now) % period
                    then = leave + duration
                    if (bound is None or then <= bound) and then < earliest.get(b, then + 1):
                        earliest[b] = then
                        heappush(heap, (then, b))
            return None

        end = arrives(ready, None)
        if end is None:
            return []
        low, high = ready, end + 1
        while high - low > 1:
            middle = (low + high) // 2
            if arrives(middle, end) is None:
                high = middle
            else:
                low = middle
        return [end, low]
