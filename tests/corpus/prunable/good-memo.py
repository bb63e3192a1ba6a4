# n=3000 ms=2000 mib=256
import sys
from functools import lru_cache
sys.setrecursionlimit(10000)

@lru_cache(maxsize=None)
def ways(n):
    if n <= 1:
        return 1
    return (ways(n - 1) + ways(n - 2)) % 1000000007

print(ways(int(input())))
