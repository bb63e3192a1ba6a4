class Solution:
    def solve(self, beads, pairs):
        allowed = set(pairs) | {pair[::-1] for pair in pairs}
        result = []
        for c in beads:
            i = len(result)
            result.append(c)
            while i > 0 and result[i - 1] > result[i] and result[i - 1] + result[i] in allowed:
                result[i - 1], result[i] = result[i], result[i - 1]
                i -= 1
        changed = True
        while changed:
            changed = False
            for i in range(len(result) - 1):
                if result[i] > result[i + 1] and result[i] + result[i + 1] in allowed:
                    result[i], result[i + 1] = result[i + 1], result[i]
                    changed = True
        return "".join(result)
