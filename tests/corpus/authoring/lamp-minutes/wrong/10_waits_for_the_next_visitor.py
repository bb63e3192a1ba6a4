from heapq import heappop, heappush


class Solution:
    def solve(self, visitors):
        waiting = sorted(visitors, reverse=True)
        present, lit, now = [], 0, 0
        # Someone present needs light at once when his minute plus the minutes lit so far is now.
        while waiting or present:
            while waiting and waiting[-1][0] <= now:
                start, end, need = waiting.pop()
                before = lit - (now - start)
                heappush(present, (end + 1 - need - before, end))
            if present:
                minute, end = present[0]
                latest = minute + lit
                if latest > end:
                    heappop(present)
                elif not waiting or end < waiting[-1][0]:
                    heappop(present)
                    lit += end + 1 - latest
                    now = end + 1
                else:
                    now = waiting[-1][0]
            elif waiting:
                now = waiting[-1][0]
        return lit
