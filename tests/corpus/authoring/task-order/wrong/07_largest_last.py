from heapq import heappop, heappush


class Solution:
    def solve(self, n, rules):
        before, waiting = [[] for _ in range(n)], [0] * n
        for a, b in rules:
            before[b].append(a)
            waiting[a] += 1
        heap = [-task for task in range(n) if not waiting[task]]
        heap.sort()
        out = []
        while heap:
            task = -heappop(heap)
            out.append(task)
            for other in before[task]:
                waiting[other] -= 1
                if not waiting[other]:
                    heappush(heap, -other)
        return out[::-1] if len(out) == n else []
