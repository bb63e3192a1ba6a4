import sys
from math import atan2, pi


def main():
    data = list(map(int, sys.stdin.read().split()))
    n = data[0]
    points = list(zip(data[1::2], data[2::2]))
    obtuse = 0
    for i, (px, py) in enumerate(points):
        angles = sorted(atan2(y - py, x - px) for j, (x, y) in enumerate(points) if j != i)
        size = len(angles)
        angles += [a + 2 * pi for a in angles]
        lo = hi = 0
        for k in range(size):
            start = angles[k]
            while lo < 2 * size and angles[lo] - start <= pi / 2:
                lo += 1
            while hi < 2 * size and angles[hi] - start < pi:
                hi += 1
            obtuse += hi - lo
    print(obtuse)


main()
