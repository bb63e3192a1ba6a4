# Must crash (RTE) on the long chain: it goes one call deeper for every town on the way.
import sys

n, m, *numbers = map(int, sys.stdin.buffer.read().split())
roads = [[] for _ in range(n + 1)]
for a, b, w in zip(numbers[::3], numbers[1::3], numbers[2::3]):
    roads[a].append((b, w))
length = {}


def visit(town, so_far):
    if so_far >= length.get(town, so_far + 1):
        return
    length[town] = so_far
    for after, w in roads[town]:
        visit(after, so_far + w)


visit(1, 0)
print(length.get(n, -1))
