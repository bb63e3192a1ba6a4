class Solution:
    def solve(self, intervals):
        out, current = [], None
        for start, end in sorted(intervals):
            if current is None:
                current = [start, end]
            elif start <= current[1]:
                current[1] = max(current[1], end)
            else:
                out.append(current)
                current = [start, end]
        if len(intervals) == 1 or current and (not out or current[1] > out[-1][1] + 1):
            out.append(current)
        return out
