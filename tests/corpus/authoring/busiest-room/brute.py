class Solution:
    def solve(self, rooms, meetings):
        until, counts = [0] * rooms, [0] * rooms
        for start, length in sorted(meetings, key=lambda meeting: meeting[0]):
            free = [room for room in range(rooms) if until[room] <= start]
            if free:
                room = min(free)
                until[room] = start + length
            else:
                room = until.index(min(until))
                until[room] += length
            counts[room] += 1
        best = 0
        for room in range(rooms):
            if counts[room] > counts[best]:
                best = room
        return best
