class Solution:
    def solve(self, members, limit, copies, events):
        lines = [[] for _ in copies]
        holders = [[] for _ in copies]
        log = []

        def hand_over(m, b):
            holders[b].append(m)
            log.append([m, b])

        def number(m):
            return sum(m in some for some in holders)

        def back(m, b):
            holders[b].remove(m)
            while lines[b]:
                other = lines[b].pop(0)
                if number(other) < limit:
                    hand_over(other, b)
                    break

        for kind, m, b in events:
            if kind == "ask":
                if m not in holders[b] and m not in lines[b]:
                    if len(holders[b]) >= copies[b]:
                        lines[b].append(m)
                    elif number(m) < limit:
                        hand_over(m, b)
            elif kind == "back":
                if m in holders[b]:
                    back(m, b)
            elif kind == "drop":
                if m in lines[b]:
                    lines[b].remove(m)
            elif kind == "first":
                if m in lines[b]:
                    at = lines[b].index(m)
                    lines[b][0], lines[b][at] = m, lines[b][0]
            else:
                for line in lines:
                    if m in line:
                        line.remove(m)
                for book in range(len(copies)):
                    if m in holders[book]:
                        back(m, book)
        return log
