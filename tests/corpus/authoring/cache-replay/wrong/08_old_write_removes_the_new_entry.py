from collections import OrderedDict, deque


class Solution:
    def solve(self, steps, capacity, life):
        cache = OrderedDict()
        writes = deque()
        answer = []
        for now, step in enumerate(steps):
            while writes and writes[0][0] + life < now:
                then, key = writes.popleft()
                if key in cache:
                    del cache[key]
            key = step[0]
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
