# Must be wrong (WA) where the distance has more than two decimals: it rounds too early.
import sys
from math import dist

numbers = list(map(float, sys.stdin.read().split()[1:]))
ships = sorted(zip(numbers[::2], numbers[1::2]))
best = dist(ships[0], ships[1])
for i, a in enumerate(ships):
    for j in range(i + 1, len(ships)):
        if ships[j][0] - a[0] >= best:
            break
        best = min(best, dist(a, ships[j]))
print(round(best, 2))
