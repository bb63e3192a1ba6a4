class Solution:
    def solve(self, positions, speeds, finish):
        snails = list(zip(positions, speeds))
        order = sorted(range(len(snails)), key=lambda i: (-snails[i][0], snails[i][1], i))
        moments = [-1] * len(snails)
        front, pace, last = None, 0, None
        for i in order:
            position, speed = snails[i]
            if position == last:
                moments[i] = 0
                continue
            last = position
            # A snail that would be at the finish no later than the group ahead joins it.
            if front is not None and speed > pace and (finish - position) * pace <= (finish - front) * speed:
                meeting = position * (speed - pace) + speed * (front - position)
                if meeting <= finish * (speed - pace):
                    moments[i] = (front - position) // (speed - pace)
                    continue
            front, pace = position, speed
        return moments
