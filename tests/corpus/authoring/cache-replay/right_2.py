class Solution:
    def solve(self, steps, capacity, life):
        # At each time one entry at most is used and one at most is written: tables by time.
        value, used, written = {}, {}, {}
        used_at = [None] * len(steps)
        oldest = 0
        count = 0
        answer = []

        def drop(key):
            used_at[used[key]] = None
            del value[key], used[key], written[key]

        wrote = [None] * len(steps)
        for now, step in enumerate(steps):
            if now - life - 1 >= 0:
                key = wrote[now - life - 1]
                if key is not None and written.get(key) == now - life - 1:
                    drop(key)
                    count -= 1
            key = step[0]
            there = key in value
            if len(step) == 1:
                answer.append(value[key] if there else -1)
                if not there:
                    continue
            else:
                if not there:
                    if count == capacity:
                        while used_at[oldest] is None:
                            oldest += 1
                        drop(used_at[oldest])
                        count -= 1
                    count += 1
                value[key] = step[1]
                written[key] = now
                wrote[now] = key
            if there:
                used_at[used[key]] = None
            used[key] = now
            used_at[now] = key
        return answer
