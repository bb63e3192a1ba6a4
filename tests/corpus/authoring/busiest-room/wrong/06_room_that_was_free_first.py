from heapq import heapify, heapreplace


class Solution:
    def solve(self, rooms, meetings):
        ends, counts = [(0, room) for room in range(rooms)], [0] * rooms
        heapify(ends)
        for start, length in sorted(meetings, key=lambda meeting: meeting[0]):
            end, room = ends[0]
            heapreplace(ends, (max(start, end) + length, room))
            counts[room] += 1
        return counts.index(max(counts))
