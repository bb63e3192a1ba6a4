class Solution:
    def solve(self, intervals):
        out = []
        for start, end in sorted(intervals, key=lambda pair: pair[1]):
            if out and start <= out[-1][1]:
                out[-1] = [min(out[-1][0], start), end]
            else:
                out.append([start, end])
        return out
