from heapq import heappush, heappop


class Solution:
    def solve(self, rooms, meetings):
        free, busy, counts = list(range(rooms)), [], [0] * rooms
        for start, length in sorted({start: length for start, length in meetings}.items()):
            while busy and busy[0][0] <= start:
                heappush(free, heappop(busy)[1])
            if free:
                room = heappop(free)
            else:
                start, room = heappop(busy)
            heappush(busy, (start + length, room))
            counts[room] += 1
        return counts.index(max(counts))
