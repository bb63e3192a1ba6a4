class Solution:
    def solve(self, positions, speeds, finish):
        snails = list(zip(positions, speeds))
        order = sorted(range(len(snails)), key=lambda i: (-snails[i][0], snails[i][1], i))
        moments = [-1] * len(snails)
        # Snails that others may still run into: position, speed, way and speed of their own approach.
        stack = []
        for i in order:
            position, speed = snails[i]
            if stack and stack[-1][0] == position and speed > 0:
                moments[i] = 0
                continue
            way, gain = 1, 0
            while stack:
                ahead, pace, its_way, its_gain = stack[-1]
                if pace < speed:
                    way, gain = ahead - position, speed - pace
                    if its_gain == 0 or way * its_gain <= its_way * gain:
                        break
                stack.pop()
            else:
                way, gain = 1, 0
            if gain and position * gain + speed * way <= finish * gain:
                moments[i] = way // gain
            stack.append((position, speed, way, gain))
        return moments
