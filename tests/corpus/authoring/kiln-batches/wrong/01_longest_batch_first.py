class Solution:
    def solve(self, heats, least, most, spread):
        n = len(heats)
        start = batches = 0
        while start < n:
            high = low = heats[start]
            end = start
            while end < n and end - start < most:
                high = max(high, heats[end])
                low = min(low, heats[end])
                if high - low > spread:
                    break
                end += 1
            if 0 < n - end < least and n - least - start >= least:
                end = n - least
            if end - start < least:
                return -1
            batches += 1
            start = end
        return batches
