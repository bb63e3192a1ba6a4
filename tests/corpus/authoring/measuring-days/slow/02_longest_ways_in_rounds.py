class Solution:
    def solve(self, studies, closed):
        shut = set(closed)
        size = max(last for _, last, _ in studies) + 1
        # least[d]: the fewest measuring days before day d
        least = [0] * (size + 1)
        changed = True
        while changed:
            changed = False
            for first, last, need in studies:
                if least[last + 1] < least[first] + need:
                    least[last + 1] = least[first] + need
                    changed = True
            for day in range(size, 0, -1):
                below = least[day] - (day - 1 not in shut)
                if least[day - 1] < below:
                    least[day - 1] = below
                    changed = True
            for day in range(size):
                if least[day + 1] < least[day]:
                    least[day + 1] = least[day]
                    changed = True
            if least[0] > 0:
                return [-1]
        return [day for day in range(size) if least[day + 1] > least[day]]
