from bisect import bisect_left


class Solution:
    def solve(self, visitors):
        times = sorted({t for start, end, _ in visitors for t in (start, end + 1)})
        dark = [later - time for time, later in zip(times, times[1:])]
        sums = [0] * len(times)
        above = list(range(len(times)))

        def open_part(part):
            if above[part] != part:
                above[part] = open_part(above[part])
            return above[part]

        def lit_before(part):
            total = 0
            while part:
                total += sums[part]
                part &= part - 1
            return total

        for start, end, need in sorted(visitors, key=lambda visitor: visitor[1]):
            first, beyond = bisect_left(times, start), bisect_left(times, end + 1)
            need -= lit_before(beyond) - lit_before(first)
            while need > 0:
                part = open_part(beyond) - 1
                more = min(need, dark[part])
                dark[part] -= more
                need -= more
                if not dark[part]:
                    above[part + 1] = part
                part += 1
                while part < len(times):
                    sums[part] += more
                    part += part & -part
        return lit_before(len(times) - 1)
