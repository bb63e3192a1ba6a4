from heapq import heappop, heappush


class Meeting:
    def __init__(self, way, gain, snail, ahead):
        self.way, self.gain, self.snail, self.ahead = way, gain, snail, ahead

    def __lt__(self, other):
        return self.way * other.gain < other.way * self.gain


class Solution:
    def solve(self, positions, speeds, finish):
        snails = list(zip(positions, speeds))
        order = sorted(range(len(snails)), key=lambda i: (-snails[i][0], snails[i][1], i))
        row = [snails[i] for i in order]
        n = len(row)
        moments = [-1] * n
        gone = [False] * n
        for k in range(1, n):
            if row[k][0] == row[k - 1][0]:
                moments[order[k]] = 0
                gone[k] = True
        heap = []

        def meet(k):
            j = k - 1
            while j >= 0 and gone[j]:
                j -= 1
            if j >= 0 and row[k][1] > row[j][1]:
                heappush(heap, Meeting(row[j][0] - row[k][0], row[k][1] - row[j][1], k, j))

        for k in range(n):
            if not gone[k]:
                meet(k)
        while heap:
            meeting = heappop(heap)
            k, way, gain = meeting.snail, meeting.way, meeting.gain
            if gone[k] or gone[meeting.ahead]:
                continue
            gone[k] = True
            position, speed = row[k]
            if position * gain + speed * way <= finish * gain:
                moments[order[k]] = way // gain
            after = k + 1
            while after < n and gone[after]:
                after += 1
            if after < n:
                meet(after)
        return moments
