# Must pass every test: Dijkstra with a heap.
import sys
from heapq import heappop, heappush

n, m, *numbers = map(int, sys.stdin.buffer.read().split())
roads = [[] for _ in range(n + 1)]
for a, b, w in zip(numbers[::3], numbers[1::3], numbers[2::3]):
    roads[a].append((b, w))
length = {}
open_towns = [(0, 1)]
while open_towns:
    so_far, town = heappop(open_towns)
    if town in length:
        continue
    length[town] = so_far
    for after, w in roads[town]:
        if after not in length:
            heappush(open_towns, (so_far + w, after))
print(length.get(n, -1))
