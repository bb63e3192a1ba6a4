# Must use too much memory (MLE) on the large test: it keeps the distances of all pairs.
import sys
from array import array

numbers = list(map(float, sys.stdin.read().split()[1:]))
ships = list(zip(numbers[::2], numbers[1::2]))
table = [array("d", bytes(8 * len(ships))) for _ in ships]
for i, (ax, ay) in enumerate(ships):
    for j, (bx, by) in enumerate(ships[:i]):
        table[i][j] = ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5
print(min(table[i][j] for i in range(len(ships)) for j in range(i)))
