class Solution:
    def solve(self, n, roads):
        def reached(start, closed):
            seen, todo = {start}, [start]
            while todo:
                here = todo.pop()
                for road, (a, b) in enumerate(roads):
                    if road != closed and here in (a, b):
                        there = a + b - here
                        if there not in seen:
                            seen.add(there)
                            todo.append(there)
            return seen

        best = [-1, 0]
        for road, (a, b) in enumerate(roads):
            side = reached(a, road)
            if b not in side:
                pairs = len(side) * len(reached(b, road))
                if pairs > best[1]:
                    best = [road, pairs]
        return best
