class Solution:
    def solve(self, n, rules):
        after, waiting = [[] for _ in range(n)], [0] * n
        for a, b in rules:
            after[a].append(b)
            waiting[b] += 1
        level, out = [t for t in range(n) if not waiting[t]], []
        while level:
            out += sorted(level)
            below = []
            for task in level:
                for other in after[task]:
                    waiting[other] -= 1
                    if not waiting[other]:
                        below.append(other)
            level = below
        return out if len(out) == n else []
