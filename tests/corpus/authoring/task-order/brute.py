class Solution:
    def solve(self, n, rules):
        out = []
        while len(out) < n:
            free = [t for t in range(n) if t not in out and all(a in out for a, b in rules if b == t)]
            if not free:
                return []
            out.append(min(free))
        return out
