from fractions import Fraction


class Solution:
    def solve(self, positions, speeds, finish):
        snails = list(zip(positions, speeds))
        moments = []
        for i, (position, speed) in enumerate(snails):
            first = None
            for j, (other, pace) in enumerate(snails):
                if other == position:
                    moment = Fraction(0) if (pace, j) < (speed, i) else None
                elif other > position and pace < speed:
                    moment = Fraction(other - position, speed - pace)
                else:
                    moment = None
                if moment is not None and (first is None or moment < first):
                    first = moment
            if first is None or position + speed * first > finish:
                moments.append(-1)
            else:
                moments.append(int(first))
        return moments
