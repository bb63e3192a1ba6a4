class Solution:
    def solve(self, s):
        length, best = [0] * len(s), 0
        for i in range(1, len(s)):
            start = i - length[i - 1] - 1
            if s[i] == ")" and start >= 0 and s[start] == "(":
                length[i] = length[i - 1] + 2
                if s[i - 1] == "(" and start >= 1:
                    length[i] += length[start - 1]
                best = max(best, length[i])
        return best
