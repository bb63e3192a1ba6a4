from collections import OrderedDict


class Solution:
    def solve(self, members, limit, copies, events):
        shelf = list(copies)
        lines = [OrderedDict() for _ in copies]
        held = [set() for _ in range(members)]
        awaited = set()
        joined = [[] for _ in range(members)]
        log = []

        def take_back(m, b):
            held[m].remove(b)
            line = lines[b]
            while line:
                other, _ = line.popitem(last=False)
                awaited.discard(other * members + b)
                if len(held[other]) < limit:
                    held[other].add(b)
                    log.append([other, b])
                    return
            shelf[b] += 1

        for kind, m, b in events:
            key = m * members + b
            if kind == "ask":
                if b in held[m] or key in awaited:
                    continue
                if shelf[b] == 0:
                    lines[b][m] = None
                    awaited.add(key)
                    joined[m].append(b)
                elif len(held[m]) < limit:
                    shelf[b] -= 1
                    held[m].add(b)
                    log.append([m, b])
            elif kind == "back":
                if b in held[m]:
                    take_back(m, b)
            elif kind == "drop":
                awaited.discard(key)
                lines[b].pop(m, None)
            elif kind == "first":
                if m in lines[b]:
                    lines[b].move_to_end(m, last=False)
            else:
                for book in joined[m]:
                    lines[book].pop(m, None)
                    awaited.discard(m * members + book)
                joined[m].clear()
                for book in sorted(held[m]):
                    take_back(m, book)
        return log
