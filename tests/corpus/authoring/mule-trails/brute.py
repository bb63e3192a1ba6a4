class Solution:
    def solve(self, heights, left, right, duration, rest, climbs, start, goal):
        trails = list(zip(left, right, duration))
        known = {(start, 0): 0}
        changed = True
        while changed:
            changed = False
            for (point, climbed), time in list(known.items()):
                after = []
                if rest[point] >= 0:
                    after.append((point, 0, time + rest[point]))
                for a, b, minutes in trails:
                    for here, there in ((a, b), (b, a)):
                        if here == point:
                            count = climbed
                            if heights[there] > heights[here]:
                                count += 1
                            elif heights[there] < heights[here]:
                                count = 0
                            if count <= climbs:
                                after.append((there, count, time + minutes))
                for there, count, then in after:
                    if (there, count) not in known or known[there, count] > then:
                        known[there, count] = then
                        changed = True
        return min((time for (point, _), time in known.items() if point == goal), default=-1)
