from collections import OrderedDict, deque


class Solution:
    def solve(self, steps, capacity, life):
        cache = OrderedDict()
        writes = deque()
        answer = []
        for now, step in enumerate(steps):
            while cache and next(iter(cache.values()))[1] + life < now:
                cache.popitem(last=False)
            key = step[0]
            if key in cache and cache[key][1] + life < now:
                del cache[key]
            if len(step) == 1:
                if key in cache:
                    cache.move_to_end(key)
                    answer.append(cache[key][0])
                else:
                    answer.append(-1)
            else:
                if key not in cache and len(cache) == capacity:
                    cache.popitem(last=False)
                cache[key] = (step[1], now)
                cache.move_to_end(key)
                writes.append((now, key))
        return answer
