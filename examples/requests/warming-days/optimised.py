class Solution:
    def solve(self, temps):
        best = run = 0
        before = None
        for temp in temps:
            run = run + 1 if before is not None and temp > before else 1
            best = max(best, run)
            before = temp
        return best
