from heapq import heappop, heappush


class Solution:
    def solve(self, n, rules):
        after, waiting = [[] for _ in range(n)], [0] * n
        for a, b in rules:
            after[a].append(b)
            waiting[b] += 1
        state = [0] * n

        def circle(task):
            state[task] = 1
            for other in after[task]:
                if state[other] == 1 or state[other] == 0 and circle(other):
                    return True
            state[task] = 2
            return False

        if any(state[task] == 0 and circle(task) for task in range(n)):
            return []
        ready, out = [t for t in range(n) if not waiting[t]], []
        while ready:
            task = heappop(ready)
            out.append(task)
            for other in after[task]:
                waiting[other] -= 1
                if not waiting[other]:
                    heappush(ready, other)
        return out
