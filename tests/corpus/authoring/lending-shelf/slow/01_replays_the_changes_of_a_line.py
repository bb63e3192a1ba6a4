class Solution:
    def solve(self, members, limit, copies, events):
        shelf = list(copies)
        changes = [[] for _ in copies]
        held = [set() for _ in range(members)]
        awaited = [set() for _ in range(members)]
        log = []

        def line_of(b):
            line = {}
            for kind, m in changes[b]:
                if kind == "join":
                    line[m] = None
                elif kind == "leave":
                    del line[m]
                else:
                    del line[m]
                    line = {m: None, **line}
            return list(line)

        def give(m, b):
            held[m].add(b)
            log.append([m, b])

        def leave(m, b):
            awaited[m].remove(b)
            changes[b].append(("leave", m))

        def take_back(m, b):
            held[m].remove(b)
            for other in line_of(b):
                leave(other, b)
                if len(held[other]) < limit:
                    give(other, b)
                    return
            shelf[b] += 1

        for kind, m, b in events:
            if kind == "ask":
                if b in held[m] or b in awaited[m]:
                    continue
                if shelf[b] == 0:
                    awaited[m].add(b)
                    changes[b].append(("join", m))
                elif len(held[m]) < limit:
                    shelf[b] -= 1
                    give(m, b)
            elif kind == "back":
                if b in held[m]:
                    take_back(m, b)
            elif kind == "drop":
                if b in awaited[m]:
                    leave(m, b)
            elif kind == "first":
                if b in awaited[m]:
                    changes[b].append(("first", m))
            else:
                for book in list(awaited[m]):
                    leave(m, book)
                for book in sorted(held[m]):
                    take_back(m, book)
        return log
