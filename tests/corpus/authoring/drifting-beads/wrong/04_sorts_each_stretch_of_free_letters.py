class Solution:
    def solve(self, beads, pairs):
        allowed = {frozenset(pair) for pair in pairs}
        result = []
        stretch, inside = [], set()
        for c in beads:
            if any(c != d and frozenset((c, d)) not in allowed for d in inside):
                result += sorted(stretch)
                stretch, inside = [], set()
            stretch.append(c)
            inside.add(c)
        return "".join(result + sorted(stretch))
