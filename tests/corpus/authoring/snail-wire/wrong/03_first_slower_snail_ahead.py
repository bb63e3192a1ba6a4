class Solution:
    def solve(self, positions, speeds, finish):
        snails = list(zip(positions, speeds))
        order = sorted(range(len(snails)), key=lambda i: (-snails[i][0], snails[i][1], i))
        moments = [-1] * len(snails)
        stack = []
        for i in order:
            position, speed = snails[i]
            if stack and stack[-1][0] == position:
                moments[i] = 0
                continue
            way, gain = 1, 0
            while stack:
                ahead, pace = stack[-1]
                if pace < speed:
                    way, gain = ahead - position, speed - pace
                    break
                stack.pop()
            else:
                way, gain = 1, 0
            if gain and position * gain + speed * way <= finish * gain:
                moments[i] = way // gain
            stack.append((position, speed))
        return moments
