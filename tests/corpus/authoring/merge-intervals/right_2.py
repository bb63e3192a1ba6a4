class Solution:
    def solve(self, intervals):
        events = [(start, 0) for start, _ in intervals] + [(end, 1) for _, end in intervals]
        out, depth, since = [], 0, 0
        for place, kind in sorted(events):
            if kind == 0:
                if depth == 0:
                    since = place
                depth += 1
            else:
                depth -= 1
                if depth == 0:
                    out.append([since, place])
        return out
