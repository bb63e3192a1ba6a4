from heapq import heappop, heappush


class Solution:
    def solve(self, piers, limit, ships):
        n = len(ships)
        order = sorted(range(n), key=lambda i: (ships[i][0], i))
        last = [ship[0] + ship[3] for ship in ships]
        results = [None] * n
        free = list(range(min(piers, n)))
        busy, waiting = [], []
        came = head = 0
        while came < n or waiting:
            now = ships[order[came]][0] if came < n else busy[0][0]
            if waiting and busy[0][0] < now:
                now = busy[0][0]
            while busy and busy[0][0] <= now:
                heappush(free, heappop(busy)[1])
            if came < n and ships[order[came]][0] <= now:
                i = order[came]
                heappush(waiting, (-ships[i][1], ships[i][0], i))
                came += 1
            while free and waiting:
                while head < came and (results[order[head]] or last[order[head]] < now):
                    head += 1
                if head == came:
                    waiting = []
                    break
                i = order[head]
                if ships[i][0] + limit > now:
                    i = heappop(waiting)[2]
                    if results[i] or last[i] < now:
                        continue
                pier = heappop(free)
                results[i] = [pier, now]
                heappush(busy, (now + ships[i][2], pier))
        return [result or [-1, -1] for result in results]
