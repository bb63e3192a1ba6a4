class Solution:
    def solve(self, positions, speeds, finish):
        snails = list(zip(positions, speeds))
        order = sorted(range(len(snails)), key=lambda i: (-snails[i][0], snails[i][1], i))
        moments = [-1] * len(snails)
        row = [snails[i] for i in order]
        # Way and gain of each snail until it catches up; the gain is 0 if it never does.
        caught = []
        for k, (position, speed) in enumerate(row):
            found = (1, 0)
            if k and row[k - 1][0] == position:
                found = (0, 1)
            else:
                for j in range(k - 1, -1, -1):
                    ahead, pace = row[j]
                    if pace < speed:
                        way, gain = ahead - position, speed - pace
                        its_way, its_gain = caught[j]
                        if its_gain == 0 or way * its_gain <= its_way * gain:
                            found = (way, gain)
                            break
            caught.append(found)
            way, gain = found
            if gain and position * gain + speed * way <= finish * gain:
                moments[order[k]] = way // gain
        return moments
