from heapq import heappop, heappush


class Solution:
    def solve(self, requests):
        running, done = [], 0
        for start, end, pay in sorted(requests):
            while running and running[0][0] <= start:
                done = max(done, heappop(running)[1])
            heappush(running, (end, done + pay))
        return max(total for _, total in running)
