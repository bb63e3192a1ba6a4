class Solution:
    def solve(self, order):
        goal = sorted(order, key=str)
        place = {x: i for i, x in enumerate(goal)}
        seen, swaps = set(), 0
        for start in range(len(order)):
            i = start
            while i not in seen:
                seen.add(i)
                i = place[order[i]]
                swaps += i not in seen
        return swaps
