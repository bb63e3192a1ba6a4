class Solution:
    def solve(self, s):
        opened = pairs = 0
        for c in s:
            if c == "(":
                opened += 1
            elif opened:
                opened -= 1
                pairs += 1
        return 2 * pairs
