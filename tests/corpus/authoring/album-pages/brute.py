from itertools import combinations


class Solution:
    def solve(self, pictures, width, gap):
        n = len(pictures)
        best = None
        for pages in range(1, n + 1):
            for cuts in combinations(range(1, n), pages - 1):
                cost, sizes = 0, []
                for start, end in zip((0, *cuts), (*cuts, n)):
                    page = pictures[start:end]
                    if sum(picture[0] for picture in page) + gap * (len(page) - 1) > width:
                        break
                    cost += max(picture[1] for picture in page)
                    sizes.append(end - start)
                else:
                    if best is None or (cost, pages) < best:
                        best, ways, plan = (cost, pages), 0, sizes
                    if (cost, pages) == best:
                        ways += 1
                        plan = max(plan, sizes)
        return [best[0], ways % (10**9 + 7), *plan]
