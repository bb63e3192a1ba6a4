from bisect import bisect_left, bisect_right

MOD = 1_000_000_007
COUNT = 30000
BLOCK = 64


class Solution:
    def solve(self, heights, glows, gap, low, high):
        levels = sorted(set(heights))
        place = {h: i for i, h in enumerate(levels)}
        # Only totals above zero are worth going on from, so zero stands for nothing.
        keys, ways = [0] * len(levels), [0] * len(levels)
        blocks = [0] * (len(levels) // BLOCK + 1)
        sums = [0] * (len(levels) // BLOCK + 1)
        found = []
        for i, (height, glow) in enumerate(zip(heights, glows)):
            if i > gap:
                key, number = found[i - gap - 1]
                at = place[heights[i - gap - 1]]
                for values, counts, j in ((keys, ways, at), (blocks, sums, at // BLOCK)):
                    if key > values[j]:
                        values[j], counts[j] = key, number
                    elif key == values[j]:
                        counts[j] += number
            left = bisect_left(levels, height - high)
            right = bisect_right(levels, height - low)
            first, last = -(-left // BLOCK), right // BLOCK
            if first < last:
                parts = [
                    (keys, ways, left, first * BLOCK),
                    (blocks, sums, first, last),
                    (keys, ways, last * BLOCK, right),
                ]
            else:
                parts = [(keys, ways, left, right)]
            best = 0
            for values, _, a, b in parts:
                best = max(best, max(values[a:b], default=0))
            number = 1
            if best:
                number = 0
                for values, counts, a, b in parts:
                    if best in values[a:b]:
                        number += sum(n for k, n in zip(values[a:b], counts[a:b]) if k == best)
            found.append((best + glow * COUNT - 1, number % MOD))
        key = max(key for key, _ in found)
        count = -key % COUNT
        return [(key + count) // COUNT, count, sum(n for k, n in found if k == key) % MOD]
