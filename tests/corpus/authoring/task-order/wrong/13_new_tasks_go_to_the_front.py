class Solution:
    def solve(self, n, rules):
        after, waiting = [[] for _ in range(n)], [0] * n
        for a, b in rules:
            after[a].append(b)
            waiting[b] += 1
        ready = [task for task in range(n - 1, -1, -1) if not waiting[task]]
        out = []
        while ready:
            task = ready.pop()
            out.append(task)
            for other in sorted(after[task], reverse=True):
                waiting[other] -= 1
                if not waiting[other]:
                    ready.append(other)
        return out if len(out) == n else []
