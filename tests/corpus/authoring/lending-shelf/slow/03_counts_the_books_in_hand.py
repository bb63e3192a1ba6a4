from collections import OrderedDict


class Solution:
    def solve(self, members, limit, copies, events):
        shelf = list(copies)
        lines = [OrderedDict() for _ in copies]
        holders = [set() for _ in copies]
        awaited = [set() for _ in range(members)]
        log = []

        def number(m):
            return sum(1 for some in holders if m in some)

        def give(m, b):
            holders[b].add(m)
            log.append([m, b])

        def take_back(m, b):
            holders[b].remove(m)
            line = lines[b]
            while line:
                other, _ = line.popitem(last=False)
                awaited[other].remove(b)
                if number(other) < limit:
                    give(other, b)
                    return
            shelf[b] += 1

        for kind, m, b in events:
            if kind == "ask":
                if m in holders[b] or b in awaited[m]:
                    continue
                if shelf[b] == 0:
                    lines[b][m] = None
                    awaited[m].add(b)
                elif number(m) < limit:
                    shelf[b] -= 1
                    give(m, b)
            elif kind == "back":
                if m in holders[b]:
                    take_back(m, b)
            elif kind == "drop":
                if b in awaited[m]:
                    awaited[m].remove(b)
                    del lines[b][m]
            elif kind == "first":
                if b in awaited[m]:
                    lines[b].move_to_end(m, last=False)
            else:
                for other in awaited[m]:
                    del lines[other][m]
                awaited[m].clear()
                for book, some in enumerate(holders):
                    if m in some:
                        take_back(m, book)
        return log
