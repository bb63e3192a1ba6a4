from heapq import heappop, heappush


class Solution:
    def solve(self, n, rules):
        after, waiting = [set() for _ in range(n)], [0] * n
        for a, b in rules:
            after[a].add(b)
            waiting[b] += 1
        ready = [task for task in range(n) if not waiting[task]]
        out = []
        while ready:
            task = heappop(ready)
            out.append(task)
            for other in after[task]:
                waiting[other] -= 1
                if not waiting[other]:
                    heappush(ready, other)
        return out if len(out) == n else []
