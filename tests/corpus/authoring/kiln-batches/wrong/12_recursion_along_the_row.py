from functools import cache


class Solution:
    def solve(self, heats, least, most, spread):
        n = len(heats)
        never = n + 1

        @cache
        def fewest(start):
            if start == n:
                return 0
            best = never
            high = low = heats[start]
            for end in range(start + 1, min(n, start + most) + 1):
                high = max(high, heats[end - 1])
                low = min(low, heats[end - 1])
                if high - low > spread:
                    break
                if end - start >= least:
                    best = min(best, 1 + fewest(end))
            return best

        return fewest(0) if fewest(0) < never else -1
