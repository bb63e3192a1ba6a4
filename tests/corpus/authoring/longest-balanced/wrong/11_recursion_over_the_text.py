class Solution:
    def solve(self, s):
        def scan(i, stack, best):
            if i == len(s):
                return best
            if s[i] == "(":
                return scan(i + 1, stack + [i], best)
            if len(stack) > 1:
                return scan(i + 1, stack[:-1], max(best, i - stack[-2]))
            return scan(i + 1, [i], best)

        return scan(0, [-1], 0)
