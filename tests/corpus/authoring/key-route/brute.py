class Solution:
    def solve(self, n, roads, keys, start, goal):
        best = {(start, frozenset({keys[start]})): 0}
        changed = True
        while changed:
            changed = False
            for (city, bag), now in list(best.items()):
                for u, v, time, key in roads:
                    for here, there in ((u, v), (v, u)):
                        if here == city and (key == -1 or key in bag):
                            state = (there, bag | {keys[there]})
                            if state not in best or now + time < best[state]:
                                best[state] = now + time
                                changed = True
        return min((time for (city, _), time in best.items() if city == goal), default=-1)
