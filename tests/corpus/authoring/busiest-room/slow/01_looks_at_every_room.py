class Solution:
    def solve(self, rooms, meetings):
        until, counts = [0] * rooms, [0] * rooms
        for start, length in sorted(meetings, key=lambda meeting: meeting[0]):
            free = [room for room in range(rooms) if until[room] <= start]
            room = free[0] if free else min(range(rooms), key=lambda room: (until[room], room))
            until[room] = max(until[room], start) + length
            counts[room] += 1
        return counts.index(max(counts))
