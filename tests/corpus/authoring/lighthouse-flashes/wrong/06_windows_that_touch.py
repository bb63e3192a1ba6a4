class Row:
    """Seconds that are rest modulo step, from low to high."""

    def __init__(self, step, rest, low, high):
        self.step, self.rest = step, rest
        self.low = low + (rest - low) % step
        self.high = high - (high - rest) % step

    def size(self):
        return max(0, (self.high - self.low) // self.step + 1)

    def __and__(self, other):
        low, high = max(self.low, other.low), min(self.high, other.high)
        if low >= high:
            return Row(1, 0, 1, 0)
        # Euclid: g = u * step + v * other.step
        g, u, r, v = self.step, 1, other.step, 0
        while r:
            q = g // r
            g, u, r, v = r, v, g - q * r, u - q * v
        move = other.rest - self.rest
        if move % g:
            return Row(1, 0, 1, 0)
        step = self.step // g * other.step
        both = Row(step, (self.rest + move // g * u * self.step) % step, low, high)
        return both if both.low < both.high else Row(1, 0, both.low, both.high)


class Solution:
    def solve(self, lights):
        rows = [Row(p, first % p, first, first + p * (n - 1)) for first, p, n in lights]
        together = [None] * (2 * len(rows))
        together[len(rows) :] = rows
        for i in range(len(rows) - 1, 0, -1):
            together[i] = together[2 * i] & together[2 * i + 1]
        total = together[1].size()
        # Without one lighthouse: the meets of all that hang beside its way down from the top.
        without = [None] * (2 * len(rows))
        without[1] = Row(1, 0, 0, 10**19)
        for i in range(2, 2 * len(rows)):
            up = without[i // 2]
            without[i] = up & together[i ^ 1] if up.low <= up.high else up
        missing = sum(row.size() for row in without[len(rows) :])
        return [total, missing - len(rows) * total]
