from bisect import bisect_left, insort


class Solution:
    def solve(self, heats, least, most, spread):
        n = len(heats)
        furthest, window, end = [], [], 0
        for start in range(n):
            while end < n and end - start < most:
                heat = heats[end]
                if window and (heat - window[0] > spread or window[-1] - heat > spread):
                    break
                insort(window, heat)
                end += 1
            furthest.append(end)
            del window[bisect_left(window, heats[start])]

        fewest = [n + 1] * (n + 1)
        batches, layer = 0, [0]
        while layer:
            batches += 1
            later = []
            for start in layer:
                for end in range(start + least, furthest[start] + 1):
                    if batches < fewest[end]:
                        fewest[end] = batches
                        later.append(end)
            if fewest[n] == batches:
                return batches
            layer = later
        return -1
