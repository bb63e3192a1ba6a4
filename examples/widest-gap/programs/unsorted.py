# Must be wrong (WA) unless the trees come in order: it forgets to sort.
import sys

places = list(map(int, sys.stdin.read().split()[1:]))
print(max((abs(b - a) for a, b in zip(places, places[1:])), default=0))
