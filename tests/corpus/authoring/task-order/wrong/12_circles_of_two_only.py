class Solution:
    def solve(self, n, rules):
        pairs = {tuple(rule) for rule in rules}
        if any((b, a) in pairs for a, b in pairs):
            return []
        out, place = list(range(n)), None
        for _ in range(n):
            place = {task: i for i, task in enumerate(out)}
            late = [(a, b) for a, b in sorted(pairs) if place[a] > place[b]]
            if not late:
                break
            a, b = late[0]
            out.remove(b)
            out.insert(out.index(a) + 1, b)
        return out
