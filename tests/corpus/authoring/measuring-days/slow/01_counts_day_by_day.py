class Solution:
    def solve(self, studies, closed):
        shut = set(closed)
        size = max(last for _, last, _ in studies) + 1
        chosen = [False] * size
        for first, last, need in sorted(studies, key=lambda study: study[1]):
            have = 0
            for day in range(first, last + 1):
                if chosen[day]:
                    have += 1
            day = last
            while have < need and day >= first:
                if not chosen[day] and day not in shut:
                    chosen[day] = True
                    have += 1
                day -= 1
            if have < need:
                return [-1]
        return [day for day in range(size) if chosen[day]]
