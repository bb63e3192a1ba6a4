from bisect import bisect_left, bisect_right

MOD = 1_000_000_007
COUNT = 1 << 15
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
                keys[at], ways[at] = key, number
                while at > 1:
                    at >>= 1
                    a, b = 2 * at, 2 * at + 1
                    keys[at] = max(keys[a], keys[b])
                    ways[at] = sum(ways[c] for c in (a, b) if keys[c] == keys[at]) % MOD
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
