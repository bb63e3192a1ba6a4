class Solution:
    def solve(self, n, roads, keys, start, goal):
        def take(city, mask):
            return mask | (1 << keys[city] if keys[city] >= 0 else 0)

        open_ = {(start, take(start, 0)): 0}
        done = []
        while open_:
            state = min(open_, key=open_.get)
            now = open_.pop(state)
            city, mask = state
            if city == goal:
                return now
            done.append(state)
            for u, v, time, key in roads:
                if city in (u, v) and (key < 0 or mask >> key & 1):
                    other = u + v - city
                    later = (other, take(other, mask))
                    if later not in done and now + time < open_.get(later, float("inf")):
                        open_[later] = now + time
        return -1
