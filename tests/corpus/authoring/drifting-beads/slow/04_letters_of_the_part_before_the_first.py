class Solution:
    def solve(self, beads, pairs):
        allowed = set(pairs) | {pair[::-1] for pair in pairs}
        letters = sorted(set(beads))
        result = []
        while beads:
            for c in letters:
                i = beads.find(c)
                if i >= 0 and all(d + c in allowed for d in set(beads[:i])):
                    result.append(c)
                    beads = beads[:i] + beads[i + 1 :]
                    break
        return "".join(result)
