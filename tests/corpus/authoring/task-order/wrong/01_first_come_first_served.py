from collections import deque


class Solution:
    def solve(self, n, rules):
        after, waiting = [[] for _ in range(n)], [0] * n
        for a, b in rules:
            after[a].append(b)
            waiting[b] += 1
        ready = deque(task for task in range(n) if not waiting[task])
        out = []
        while ready:
            task = ready.popleft()
            out.append(task)
            for other in sorted(after[task]):
                waiting[other] -= 1
                if not waiting[other]:
                    ready.append(other)
        return out if len(out) == n else []
