from collections import OrderedDict


class Solution:
    def solve(self, members, limit, copies, events):
        shelf = list(copies)
        lines = [OrderedDict() for _ in copies]
        held = [set() for _ in range(members)]
        awaited = [set() for _ in range(members)]
        log = []

        def give(m, b):
            held[m].add(b)
            log.append([m, b])

        def take_back(m, b):
            held[m].remove(b)
            line = lines[b]
            while line:
                other, _ = line.popitem(last=False)
                awaited[other].remove(b)
                if len(held[other]) < limit:
                    give(other, b)
                    return
            shelf[b] += 1

        for kind, m, b in events:
            if kind == "ask":
                if b in held[m] or b in awaited[m]:
                    continue
                if shelf[b] == 0:
                    lines[b][m] = None
                    awaited[m].add(b)
                elif len(held[m]) < limit:
                    shelf[b] -= 1
                    give(m, b)
            elif kind == "back":
                if b in held[m]:
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
                for book in sorted(held[m]):
                    take_back(m, book)
        return log
