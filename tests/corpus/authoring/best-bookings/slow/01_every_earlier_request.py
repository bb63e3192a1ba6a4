class Solution:
    def solve(self, requests):
        requests = sorted(requests, key=lambda q: q[1])
        best = []
        for i, (start, end, pay) in enumerate(requests):
            total = pay
            for j in range(i):
                if requests[j][1] <= start and best[j] + pay > total:
                    total = best[j] + pay
            best.append(total)
        return max(best)
