class Solution:
    def solve(self, intervals):
        out = []
        for start, end in intervals:
            apart = [pair for pair in out if pair[1] < start or end < pair[0]]
            for a, b in out:
                if a <= end and start <= b:
                    start, end = min(a, start), max(b, end)
            out = apart + [[start, end]]
        return sorted(out)
