class Solution:
    def solve(self, s):
        depth = best = 0
        for c in s:
            depth = depth + 1 if c == "(" else max(depth - 1, 0)
            if c == ")" and depth >= 0:
                best = max(best, 2 * (depth + 1))
        return best if "()" in s else 0
