class Solution:
    def solve(self, intervals):
        rest = [list(pair) for pair in intervals]
        changed = True
        while changed:
            changed = False
            for i in range(len(rest)):
                for j in range(i):
                    a, b = rest[i], rest[j]
                    if max(a[0], b[0]) <= min(a[1], b[1]):
                        rest[j] = [min(a[0], b[0]), max(a[1], b[1])]
                        del rest[i]
                        changed = True
                        break
                if changed:
                    break
        return sorted(rest)
