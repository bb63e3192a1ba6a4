class Solution:
    def solve(self, num, k):
        out, rest = [], list(num)
        for keep in range(len(num) - k, 0, -1):
            room = len(rest) - keep + 1
            best = min(range(room), key=lambda i: rest[i])
            out.append(rest[best])
            rest = rest[best + 1:]
        return "".join(out).lstrip("0") or "0"
