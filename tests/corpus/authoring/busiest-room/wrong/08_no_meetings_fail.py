from heapq import heappush, heappop


class Solution:
    def solve(self, rooms, meetings):
        free, busy, counts = list(range(rooms)), [], {}
        for start, length in sorted(meetings, key=lambda meeting: meeting[0]):
            while busy and busy[0][0] <= start:
                heappush(free, heappop(busy)[1])
            if free:
                room = heappop(free)
            else:
                start, room = heappop(busy)
            heappush(busy, (start + length, room))
            counts[room] = counts.get(room, 0) + 1
        return max(counts, key=counts.get)
