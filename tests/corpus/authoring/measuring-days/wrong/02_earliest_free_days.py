class Solution:
    def solve(self, studies, closed):
        size = max(last for _, last, _ in studies) + 1
        shut = set(closed)
        # up[d]: a day at or after d that may still be free, as a forest
        up = list(range(size + 1))
        for day in shut:
            if day < size:
                up[day] = day + 1
        counts = [0] * (size + 1)
        chosen = []
        for first, last, need in sorted(studies, key=lambda study: study[1]):
            have = 0
            at = last + 1
            while at > 0:
                have += counts[at]
                at -= at & -at
            at = first
            while at > 0:
                have -= counts[at]
                at -= at & -at
            place = first
            for _ in range(need - have):
                while up[place] != place:
                    up[place] = up[up[place]]
                    place = up[place]
                if place > last:
                    return [-1]
                chosen.append(place)
                up[place] = place + 1
                at = place + 1
                while at <= size:
                    counts[at] += 1
                    at += at & -at
        return sorted(chosen)
