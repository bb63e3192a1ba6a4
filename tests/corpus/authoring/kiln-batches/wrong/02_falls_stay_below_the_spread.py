from bisect import bisect_left, insort


class Solution:
    def solve(self, heats, least, most, spread):
        n = len(heats)
        furthest, window, end = [], [], 0
        for start in range(n):
            while end < n and end - start < most:
                heat = heats[end]
                if window and (heat - window[0] > spread or window[-1] - heat >= spread):
                    break
                insort(window, heat)
                end += 1
            furthest.append(end)
            del window[bisect_left(window, heats[start])]

        free = list(range(n + 2))

        def unseen(end):
            while free[end] != end:
                free[end] = free[free[end]]
                end = free[end]
            return end

        batches, layer = 0, [0]
        while layer:
            batches += 1
            later = []
            for start in layer:
                if start + least > furthest[start]:
                    continue
                end = unseen(start + least)
                while end <= furthest[start]:
                    if end == n:
                        return batches
                    later.append(end)
                    free[end] = end + 1
                    end = unseen(end)
            layer = later
        return -1
