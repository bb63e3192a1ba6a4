class Solution:
    def solve(self, positions, speeds, finish):
        snails = list(zip(positions, speeds))
        order = sorted(range(len(snails)), key=lambda i: (-snails[i][0], snails[i][1], i))
        moments = [-1] * len(snails)
        # The rim has the snails that are the last one at some moment, the latest moments first.
        rim = []
        for i in order:
            position, speed = snails[i]
            if rim and rim[-1][0] == position:
                moments[i] = 0
                continue
            keep = 0
            way, gain = 1, 0
            for at in range(len(rim)):
                ahead, pace, its_way, its_gain = rim[at]
                if pace >= speed:
                    break
                new_way, new_gain = ahead - position, speed - pace
                if its_gain and new_way * its_gain > its_way * new_gain:
                    break
                keep, way, gain = at + 1, new_way, new_gain
            del rim[keep:]
            if gain and position * gain + speed * way <= finish * gain:
                moments[i] = way // gain
            rim.append((position, speed, way, gain))
        return moments
