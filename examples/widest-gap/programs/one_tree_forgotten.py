# Must crash (RTE) where there is one tree: the largest of no gaps does not exist.
import sys

places = sorted(map(int, sys.stdin.read().split()[1:]))
print(max(b - a for a, b in zip(places, places[1:])))
