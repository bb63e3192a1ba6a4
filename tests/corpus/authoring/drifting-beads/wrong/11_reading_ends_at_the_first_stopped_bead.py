class Solution:
    def solve(self, beads, pairs):
        allowed = set(pairs) | {pair[::-1] for pair in pairs}
        letters = sorted(set(beads))
        stops = {c: {c} | {d for d in letters if c + d not in allowed} for c in letters}
        rest = list(beads)
        result = []
        while rest:
            open_letters = set(letters)
            best = None
            for i, c in enumerate(rest):
                if c not in open_letters:
                    break
                if best is None or c < rest[best]:
                    best = i
                open_letters -= stops[c]
                if not open_letters:
                    break
            result.append(rest.pop(best))
        return "".join(result)
