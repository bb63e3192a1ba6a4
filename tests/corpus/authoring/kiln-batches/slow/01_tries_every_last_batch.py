class Solution:
    def solve(self, heats, least, most, spread):
        n = len(heats)
        never = n + 1
        fewest = [0] + [never] * n
        for end in range(1, n + 1):
            high = low = heats[end - 1]
            for start in range(end - 1, max(-1, end - most - 1), -1):
                high = max(high, heats[start])
                low = min(low, heats[start])
                if high - low > spread:
                    break
                if end - start >= least and fewest[start] + 1 < fewest[end]:
                    fewest[end] = fewest[start] + 1
        return fewest[n] if fewest[n] < never else -1
