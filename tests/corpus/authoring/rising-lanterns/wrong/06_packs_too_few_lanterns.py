from bisect import bisect_left, bisect_right

MOD = 1_000_000_007
COUNT = 1000
NONE = -(10**18)


class Solution:
    def solve(self, heights, glows, gap, low, high):
        levels = sorted(set(heights))
        size = len(levels)
        place = {h: size + i for i, h in enumerate(levels)}
        keys, ways = [NONE] * (2 * size), [0] * (2 * size)
        found = []
        for i, height in enumerate(heights):
            if i >= gap:
                key, number = found[i - gap]
                at = place[heights[i - gap]]
                while at:
                    if key > keys[at]:
                        keys[at], ways[at] = key, number
                    elif key == keys[at]:
                        ways[at] = (ways[at] + number) % MOD
                    else:
                        break
                    at >>= 1
            best, number = 0, 1
            left = size + bisect_left(levels, height - high)
            right = size + bisect_right(levels, height - low)
            while left < right:
                if left & 1:
                    if keys[left] > best:
                        best, number = keys[left], ways[left]
                    elif keys[left] == best:
                        number += ways[left]
                    left += 1
                if right & 1:
                    right -= 1
                    if keys[right] > best:
                        best, number = keys[right], ways[right]
                    elif keys[right] == best:
                        number += ways[right]
                left >>= 1
                right >>= 1
            # A key orders by the total first, then by the fewest lanterns.
            found.append((best + glows[i] * COUNT - 1, number % MOD))
        key = max(found)[0]
        total = -(-key // COUNT)
        return [total, total * COUNT - key, sum(w for k, w in found if k == key) % MOD]
