from collections import Counter


class Solution:
    def solve(self, lights):
        flashes = Counter()
        for first, period, count in lights:
            for number in range(count):
                flashes[first + number * period] += 1
        sizes = Counter(flashes.values())
        return [sizes[len(lights)], sizes[len(lights) - 1]]
