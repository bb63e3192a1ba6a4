from collections import deque


class Solution:
    def solve(self, members, limit, copies, events):
        shelf = list(copies)
        lines = [deque() for _ in copies]
        held = [set() for _ in range(members)]
        awaited = [set() for _ in range(members)]
        log = []

        def take_back(m, b):
            held[m].remove(b)
            while lines[b]:
                other = lines[b].popleft()
                if b in awaited[other]:
                    awaited[other].remove(b)
                    if len(held[other]) < limit:
                        held[other].add(b)
                        log.append([other, b])
                        return
            shelf[b] += 1

        for kind, m, b in events:
            if kind == "ask":
                if b in held[m] or b in awaited[m]:
                    continue
                if shelf[b] == 0:
                    lines[b].append(m)
                    awaited[m].add(b)
                elif len(held[m]) < limit:
                    shelf[b] -= 1
                    held[m].add(b)
                    log.append([m, b])
            elif kind == "back":
                if b in held[m]:
                    take_back(m, b)
            elif kind == "drop":
                awaited[m].discard(b)
            elif kind == "first":
                if b in awaited[m]:
                    lines[b].remove(m)
                    lines[b].appendleft(m)
            else:
                awaited[m].clear()
                for book in sorted(held[m]):
                    take_back(m, book)
        return log
