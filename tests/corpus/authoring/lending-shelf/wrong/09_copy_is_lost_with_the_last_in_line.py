from collections import defaultdict
from heapq import heappop, heappush


class Solution:
    def solve(self, members, limit, copies, events):
        self.limit, self.shelf = limit, list(copies)
        self.books = [{} for _ in range(members)]
        self.lines = defaultdict(list)
        self.log = []
        # books[m][b] is None for a copy in hand, and else the number of the valid place in the line.
        self.count = [0] * members
        for time, (kind, m, b) in enumerate(events, 1):
            mine = self.books[m]
            if kind == "ask":
                if b not in mine:
                    self.ask(m, b, time)
            elif kind == "quit":
                books = sorted(book for book, place in mine.items() if place is None)
                self.books[m] = dict.fromkeys(books)
                for book in books:
                    self.back(m, book)
            elif b in mine and mine[b] is None:
                if kind == "back":
                    self.back(m, b)
            elif b in mine:
                if kind == "drop":
                    del mine[b]
                elif kind == "first":
                    mine[b] = -time
                    heappush(self.lines[b], (-time, m))
        return self.log

    def ask(self, m, b, time):
        if self.shelf[b] == 0:
            self.books[m][b] = time
            heappush(self.lines[b], (time, m))
        elif self.count[m] < self.limit:
            self.shelf[b] -= 1
            self.give(m, b)

    def give(self, m, b):
        self.books[m][b] = None
        self.count[m] += 1
        self.log.append([m, b])

    def back(self, m, b):
        del self.books[m][b]
        self.count[m] -= 1
        line = self.lines[b]
        if not line:
            self.shelf[b] += 1
        while line:
            place, other = heappop(line)
            if self.books[other].get(b) == place:
                if self.count[other] < self.limit:
                    self.give(other, b)
                    return
                del self.books[other][b]
