class Solution:
    def solve(self, beads, pairs):
        n = len(beads)
        allowed = set(pairs) | {pair[::-1] for pair in pairs}
        letters = sorted(set(beads))
        used = [False] * n
        result = []
        for _ in range(n):
            for c in letters:
                i = 0
                free = True
                while i < n and (used[i] or beads[i] != c):
                    if not used[i] and beads[i] + c not in allowed:
                        free = False
                        break
                    i += 1
                if free and i < n:
                    used[i] = True
                    result.append(c)
                    break
        return "".join(result)
