class Solution:
    def solve(self, beads, pairs):
        n = len(beads)
        allowed = set(pairs) | {pair[::-1] for pair in pairs}
        letters = sorted(set(beads), reverse=True)
        places = {c: [] for c in letters}
        for i, c in enumerate(beads):
            places[c].append(i)
        walls = {c: [d for d in letters if d != c and c + d not in allowed] for c in letters}
        result = []
        for _ in range(n):
            for c in letters:
                row = places[c]
                if row and all(not places[d] or places[d][-1] < row[-1] for d in walls[c]):
                    row.pop()
                    result.append(c)
                    break
        return "".join(reversed(result))
