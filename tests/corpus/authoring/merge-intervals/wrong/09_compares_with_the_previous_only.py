class Solution:
    def solve(self, intervals):
        out, before = [], -1
        for start, end in sorted(intervals):
            if start <= before:
                out[-1][1] = max(out[-1][1], end)
            else:
                out.append([start, end])
            before = end
        return out
