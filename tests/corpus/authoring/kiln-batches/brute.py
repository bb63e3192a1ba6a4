class Solution:
    def solve(self, heats, least, most, spread):
        n = len(heats)
        fewest = [0] + [None] * n
        for end in range(1, n + 1):
            for start in range(end):
                batch = heats[start:end]
                if fewest[start] is None or not least <= len(batch) <= most:
                    continue
                if max(batch) - min(batch) > spread:
                    continue
                if fewest[end] is None or fewest[start] + 1 < fewest[end]:
                    fewest[end] = fewest[start] + 1
        return -1 if fewest[n] is None else fewest[n]
