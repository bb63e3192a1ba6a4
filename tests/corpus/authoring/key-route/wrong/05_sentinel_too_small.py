from heapq import heapify, heappop, heappush

FAR = 10**7


class Solution:
    def solve(self, n, roads, keys, start, goal):
        table = [[FAR] * n for _ in range(64)]

        def add(city, mask):
            return mask | (1 << keys[city] if keys[city] >= 0 else 0)

        table[add(start, 0)][start] = 0
        answer = FAR
        for mask in range(64):
            row = table[mask]
            heap = [(time, city) for city, time in enumerate(row) if time < FAR]
            if not heap:
                continue
            heapify(heap)
            near = [[] for _ in range(n)]
            for u, v, time, key in roads:
                if key < 0 or mask >> key & 1:
                    near[u].append((v, time))
                    near[v].append((u, time))
            while heap:
                now, city = heappop(heap)
                if now > row[city]:
                    continue
                for other, time in near[city]:
                    later = now + time
                    into = table[add(other, mask)]
                    if later < into[other]:
                        into[other] = later
                        if into is row:
                            heappush(heap, (later, other))
            answer = min(answer, row[goal])
        return -1 if answer == FAR else answer
