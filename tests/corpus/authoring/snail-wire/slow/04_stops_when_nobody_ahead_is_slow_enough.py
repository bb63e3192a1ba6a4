class Solution:
    def solve(self, positions, speeds, finish):
        snails = list(zip(positions, speeds))
        order = sorted(range(len(snails)), key=lambda i: (-snails[i][0], snails[i][1], i))
        row = [snails[i] for i in order]
        moments = [-1] * len(row)
        slowest = None
        for k, i in enumerate(order):
            position, speed = row[k]
            if k and row[k - 1][0] == position:
                moments[i] = 0
                continue
            if k == 0 or speed <= slowest:
                slowest = speed
                continue
            most = speed - slowest
            way, gain = None, 1
            for j in range(k - 1, -1, -1):
                ahead, pace = row[j]
                # Even the slowest snail could not be reached earlier from here on.
                if way is not None and (ahead - position) * gain >= way * most:
                    break
                if pace < speed and (way is None or (ahead - position) * gain < way * (speed - pace)):
                    way, gain = ahead - position, speed - pace
            if position * gain + speed * way <= finish * gain:
                moments[i] = way // gain
        return moments
