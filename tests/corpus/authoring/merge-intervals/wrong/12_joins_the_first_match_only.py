class Solution:
    def solve(self, intervals):
        out = []
        for start, end in sorted(intervals, key=lambda pair: pair[0] - pair[1]):
            for pair in out:
                if pair[0] <= end and start <= pair[1]:
                    pair[0], pair[1] = min(pair[0], start), max(pair[1], end)
                    break
            else:
                out.append([start, end])
        return sorted(out)
