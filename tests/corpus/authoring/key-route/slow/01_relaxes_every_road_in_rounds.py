class Solution:
    def solve(self, n, roads, keys, start, goal):
        def take(city, mask):
            return mask | (1 << keys[city] if keys[city] >= 0 else 0)

        best = {(start, take(start, 0)): 0}
        changed = True
        while changed:
            changed = False
            for (city, mask), now in list(best.items()):
                for u, v, time, key in roads:
                    if city == u or city == v:
                        if key < 0 or mask >> key & 1:
                            other = u + v - city
                            state = (other, take(other, mask))
                            if state not in best or now + time < best[state]:
                                best[state] = now + time
                                changed = True
        return min((time for (city, _), time in best.items() if city == goal), default=-1)
