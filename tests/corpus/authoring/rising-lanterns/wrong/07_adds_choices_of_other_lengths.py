from bisect import bisect_left, bisect_right

MOD = 1_000_000_007


def merge(a, b):
    if a[0] != b[0]:
        return max(a, b)
    return a[0], max(a[1], b[1]), (a[2] + b[2]) % MOD


class Solution:
    def solve(self, heights, glows, gap, low, high):
        levels = sorted(set(heights))
        size = len(levels)
        none = (0, 0, 0)
        tree = [none] * (2 * size)
        found = []
        for i, height in enumerate(heights):
            if i >= gap and found[i - gap][0] > 0:
                at = size + bisect_left(levels, heights[i - gap])
                while at:
                    tree[at] = merge(tree[at], found[i - gap])
                    at >>= 1
            best = none
            left = size + bisect_left(levels, height - high)
            right = size + bisect_right(levels, height - low)
            while left < right:
                if left & 1:
                    best = merge(best, tree[left])
                    left += 1
                if right & 1:
                    right -= 1
                    best = merge(best, tree[right])
                left >>= 1
                right >>= 1
            total, lit, ways = best
            found.append((total + glows[i], lit - 1, ways or 1))
        best = max(found)[:2]
        return [best[0], -best[1], sum(e[2] for e in found if e[:2] == best) % MOD]
