class Solution:
    def solve(self, pictures, width, gap):
        def best(i):
            """Return (cost, pages, ways, plan) from picture i on."""
            if i == len(pictures):
                return (0, 0, 1, [])
            found = None
            taken, tallest = -gap, 0
            for j in range(i, len(pictures)):
                taken += pictures[j][0] + gap
                if taken > width:
                    break
                tallest = max(tallest, pictures[j][1])
                cost, pages, ways, plan = best(j + 1)
                key = (cost + tallest, pages + 1)
                if found is None or key < found[:2]:
                    found = (*key, ways, [j + 1 - i, *plan])
                elif key == found[:2]:
                    found = (*key, found[2] + ways, [j + 1 - i, *plan])
            return found

        cost, _, ways, plan = best(0)
        return [cost, ways % (10**9 + 7), *plan]
