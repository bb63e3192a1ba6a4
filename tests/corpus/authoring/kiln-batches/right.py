from collections import deque


class Solution:
    def solve(self, heats, least, most, spread):
        n = len(heats)
        never = n + 1
        fewest = [0] + [never] * n
        high, low, starts = deque(), deque(), deque()
        first = 0
        for end in range(1, n + 1):
            heat = heats[end - 1]
            while high and heats[high[-1]] <= heat:
                high.pop()
            high.append(end - 1)
            while low and heats[low[-1]] >= heat:
                low.pop()
            low.append(end - 1)
            while heats[high[0]] - heats[low[0]] > spread or end - first > most:
                first += 1
                if high[0] < first:
                    high.popleft()
                if low[0] < first:
                    low.popleft()
            start = end - least
            if start >= 0:
                while starts and fewest[starts[-1]] >= fewest[start]:
                    starts.pop()
                starts.append(start)
            while starts and starts[0] < first:
                starts.popleft()
            if starts:
                fewest[end] = min(never, fewest[starts[0]] + 1)
        return fewest[n] if fewest[n] < never else -1
