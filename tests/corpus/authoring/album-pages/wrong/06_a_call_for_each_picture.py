from functools import lru_cache


class Solution:
    def solve(self, pictures, width, gap):
        n = len(pictures)

        @lru_cache(maxsize=None)
        def best(i):
            """Return (cost, pages, ways, number on the first page) from picture i on."""
            if i == n:
                return (0, 0, 1, 0)
            found = None
            taken, tallest = -gap, 0
            for j in range(i, n):
                taken += pictures[j][0] + gap
                if taken > width:
                    break
                tallest = max(tallest, pictures[j][1])
                cost, pages, ways, _ = best(j + 1)
                cost, pages = cost + tallest, pages + 1
                if found is None or (cost, pages) < found[:2]:
                    found = (cost, pages, ways, j + 1 - i)
                elif (cost, pages) == found[:2]:
                    found = (cost, pages, (found[2] + ways) % (10**9 + 7), j + 1 - i)
            return found

        cost, _, ways, _ = best(0)
        plan = []
        while sum(plan) < n:
            plan.append(best(sum(plan))[3])
        return [cost, ways, *plan]
