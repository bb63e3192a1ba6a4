class Solution:
    def solve(self, text, pattern):
        both = pattern + "|" + text
        z, left, right = [0] * len(both), 0, 0
        for i in range(1, len(both)):
            k = min(z[i - left], right - i) if i < right else 0
            while i + k < len(both) and both[k] == both[i + k]:
                k += 1
            z[i] = k
            if i + k > right:
                left, right = i, i + k
        m = len(pattern)
        return [i - m - 1 for i in range(m + 1, len(both)) if z[i] == m]
