class Solution:
    def solve(self, rooms, meetings):
        waiting = sorted(meetings, key=lambda meeting: meeting[0])
        until, counts, clock, at = [0] * rooms, [0] * rooms, 0, 0
        while at < len(waiting):
            for room in range(rooms):
                if at < len(waiting) and waiting[at][0] <= clock and until[room] <= clock:
                    until[room] = clock + waiting[at][1]
                    counts[room] += 1
                    at += 1
            clock += 1
        return counts.index(max(counts))
