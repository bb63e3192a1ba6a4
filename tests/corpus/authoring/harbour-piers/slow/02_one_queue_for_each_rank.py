from collections import deque
from heapq import heappop, heappush


class Solution:
    def solve(self, piers, limit, ships):
        n = len(ships)
        order = sorted(range(n), key=lambda i: (ships[i][0], -ships[i][1], i))
        last = [ship[0] + ship[3] for ship in ships]
        results = [None] * n
        free = list(range(min(piers, n)))
        busy, waiting = [], 0
        top = max(ship[1] for ship in ships)
        queues = [deque() for _ in range(top + 1)]
        came = head = 0
        while came < n or waiting:
            now = ships[order[came]][0] if came < n else busy[0][0]
            if waiting and busy[0][0] < now:
                now = busy[0][0]
            while busy and busy[0][0] <= now:
                heappush(free, heappop(busy)[1])
            while came < n and ships[order[came]][0] <= now:
                i = order[came]
                waiting += 1
                came += 1
                queues[ships[i][1]].append(i)
            while free and waiting:
                while head < came and (results[order[head]] or last[order[head]] < now):
                    head += 1
                if head == came:
                    waiting = 0
                    break
                i = order[head]
                if ships[i][0] + limit > now:
                    for rank in range(top, -1, -1):
                        if queues[rank]:
                            i = queues[rank].popleft()
                            break
                    if results[i] or last[i] < now:
                        continue
                pier = heappop(free)
                results[i] = [pier, now]
                heappush(busy, (now + ships[i][2], pier))
        return [result or [-1, -1] for result in results]
