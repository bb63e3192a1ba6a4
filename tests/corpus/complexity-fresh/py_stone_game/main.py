import sys
from functools import lru_cache

sys.setrecursionlimit(10000)


def main():
    n = int(input())
    piles = list(map(int, input().split()))

    @lru_cache(maxsize=None)
    def lead(l, r):
        if l == r:
            return piles[l]
        return max(piles[l] - lead(l + 1, r), piles[r] - lead(l, r - 1))

    diff = lead(0, n - 1)
    total = sum(piles)
    print((total + diff) // 2, (total - diff) // 2)


main()
