"""For each terrace, what it costs to end at each height that occurs."""

import sys


def main() -> None:
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    heights = numbers[1 : 1 + numbers[0]]
    levels = sorted(set(heights))
    costs = [0] * len(levels)
    for height in heights:
        least = costs[0]
        for place, level in enumerate(levels):
            least = min(least, costs[place])
            costs[place] = least + abs(height - level)
    print(min(costs))


main()
