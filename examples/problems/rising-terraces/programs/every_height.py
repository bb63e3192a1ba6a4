"""For each terrace, the cheapest slope that ends at each height that occurs."""

import sys
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Slope:
    """The terraces so far: their cost and the height of the last one."""

    cost: int
    height: int


def main() -> None:
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    heights = numbers[1 : 1 + numbers[0]]
    slopes = [Slope(0, height) for height in sorted(set(heights))]
    for height in heights:
        least = slopes[0]
        for index, slope in enumerate(slopes):
            least = min(least, slope)
            slopes[index] = Slope(least.cost + abs(height - slope.height), slope.height)
    print(min(slopes).cost)


main()
