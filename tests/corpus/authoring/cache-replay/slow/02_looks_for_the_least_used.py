class Solution:
    def solve(self, steps, capacity, life):
        cache = {}
        answer = []
        for now, step in enumerate(steps):
            key = step[0]
            if key in cache and cache[key][1] + life < now:
                del cache[key]
            if len(step) == 1:
                if key in cache:
                    cache[key][2] = now
                    answer.append(cache[key][0])
                else:
                    answer.append(-1)
                continue
            if key not in cache and len(cache) == capacity:
                for other in [k for k in cache if cache[k][1] + life < now]:
                    del cache[other]
                if len(cache) == capacity:
                    del cache[min(cache, key=lambda k: cache[k][2])]
            cache[key] = [step[1], now, now]
        return answer
