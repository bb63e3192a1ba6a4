from bisect import insort


class Solution:
    def solve(self, n, rules):
        before = {}
        after = {}
        for a, b in rules:
            before.setdefault(b, set()).add(a)
            after.setdefault(a, set()).add(b)
        ready = [-task for task in range(n - 1, -1, -1) if task not in before]
        ready.sort()
        out = []
        while ready:
            task = -ready.pop()
            out.append(task)
            for other in after.get(task, ()):
                before[other].discard(task)
                if not before[other]:
                    insort(ready, -other)
        return out * (len(out) == n)
