from heapq import heappush, heappop


class Solution:
    def solve(self, rooms, meetings):
        free, busy, counts = list(range(rooms)), [], [0] * rooms
        for start, length in sorted(meetings, key=lambda meeting: meeting[0]):
            while busy and busy[0][0] <= start:
                heappush(free, -heappop(busy)[1])
            if free:
                room = heappop(free)
            else:
                start, room = heappop(busy)
                room = -room
            heappush(busy, (start + length, -room))
            counts[room] += 1
        return counts.index(max(counts))
