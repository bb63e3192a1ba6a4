import heapq


class Solution:
    def solve(self, rooms, meetings):
        order = sorted(range(len(meetings)), key=lambda i: (meetings[i][0], i))
        clock, free, ends, held = 0, list(range(rooms)), [], [0] * rooms
        for i in order:
            clock = max(clock, meetings[i][0])
            if not free and ends[0][0] > clock:
                clock = ends[0][0]
            while ends and ends[0][0] <= clock:
                heapq.heappush(free, heapq.heappop(ends)[1])
            room = heapq.heappop(free)
            held[room] += 1
            heapq.heappush(ends, (clock + meetings[i][1], room))
        return min(range(rooms), key=lambda room: (-held[room], room))
