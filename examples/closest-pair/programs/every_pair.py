# Must be too slow (TLE) on the large test: it measures every pair.
import sys
from itertools import combinations
from math import dist

numbers = list(map(float, sys.stdin.read().split()[1:]))
ships = list(zip(numbers[::2], numbers[1::2]))
print(min(dist(a, b) for a, b in combinations(ships, 2)))
