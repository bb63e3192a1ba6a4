class Solution:
    def solve(self, intervals):
        events = [(start, 1) for start, _ in intervals] + [(end, 0) for _, end in intervals]
        out, depth, since = [], 0, 0
        for place, kind in sorted(events):
            if kind == 1:
                if depth == 0:
                    since = place
                depth += 1
            else:
                depth -= 1
                if depth == 0:
                    out.append([since, place])
        return out
