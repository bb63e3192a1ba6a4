"""Where a terrace is lower than the highest one before, the two of them meet."""

import heapq
import sys


def main() -> None:
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    highest: list[int] = []  # negated: the heap's first is the highest
    cost = 0
    for height in numbers[1 : 1 + numbers[0]]:
        heapq.heappush(highest, -height)
        if -highest[0] > height:
            cost += -highest[0] - height
            heapq.heapreplace(highest, -height)
    print(cost)


main()
