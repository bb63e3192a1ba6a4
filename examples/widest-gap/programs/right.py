# Must pass every test: sorts, then looks at neighbours.
import sys

places = sorted(map(int, sys.stdin.read().split()[1:]))
print(max((b - a for a, b in zip(places, places[1:])), default=0))
