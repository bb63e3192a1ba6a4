class Solution:
    def solve(self, requests):
        best = 0
        for mask in range(1 << len(requests)):
            chosen = sorted(q for i, q in enumerate(requests) if mask >> i & 1)
            if all(a[1] <= b[0] for a, b in zip(chosen, chosen[1:])):
                best = max(best, sum(q[2] for q in chosen))
        return best
