class Solution:
    def solve(self, s):
        depth = start = best = 0
        for i, c in enumerate(s):
            depth += 1 if c == "(" else -1
            if depth == 0:
                best = max(best, i - start + 1)
            elif depth < 0:
                depth, start = 0, i + 1
        depth, last = 0, 0
        for c in reversed(s):
            last += 1
            depth += 1 if c == ")" else -1
            if depth < 0:
                break
            if depth == 0:
                best = max(best, last)
        return best
