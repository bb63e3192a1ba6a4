class Solution:
    def solve(self, beads, pairs):
        allowed = set(pairs) | {pair[::-1] for pair in pairs}
        result = []
        for c in beads:
            place = len(result)
            for i in range(len(result) - 1, -1, -1):
                d = result[i]
                if d == c or d + c not in allowed:
                    break
                if d > c:
                    place = i
            result.insert(place, c)
        return "".join(result)
