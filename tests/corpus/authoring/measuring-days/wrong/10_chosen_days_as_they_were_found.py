class Solution:
    def solve(self, studies, closed):
        size = max(last for _, last, _ in studies) + 1
        shut = set(closed)
        # down[d + 1]: a day at or before d that may still be free, as a forest; 0 for none
        down = list(range(size + 1))
        for day in shut:
            if day < size:
                down[day + 1] = day
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
            place = last + 1
            for _ in range(need - have):
                while down[place] != place:
                    down[place] = down[down[place]]
                    place = down[place]
                if place <= first:
                    return [-1]
                chosen.append(place - 1)
                down[place] = place - 1
                at = place
                while at <= size:
                    counts[at] += 1
                    at += at & -at
        return chosen
