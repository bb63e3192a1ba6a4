from math import gcd

EVERY = (0, 1, 10**19)


def meet(a, b):
    """Return the common seconds of two rows of flashes, each given as first, step and last."""
    if a is None or b is None:
        return None
    first, step, last = a
    first_b, step_b, last_b = b
    g = gcd(step, step_b)
    if (first_b - first) % g:
        return None
    part = step_b // g
    x = first + (first_b - first) // g * pow(step // g, max(part - 2, 0), part) % part * step
    step *= part
    if x < first_b:
        x += -((x - first_b) // step) * step
    last = min(last, last_b)
    if x > last:
        return None
    last -= (last - x) % step
    return (x, step if x < last else 1, last)


def size(row):
    return 0 if row is None else (row[2] - row[0]) // row[1] + 1


class Solution:
    def solve(self, lights):
        rows = [(first, period, first + period * (count - 1)) for first, period, count in lights]
        before = [EVERY]
        for row in rows:
            before.append(meet(before[-1], row))
        all_flash = size(before[-1])
        total = 0
        after = EVERY
        for i in range(len(rows) - 1, -1, -1):
            total += size(meet(before[i], after))
            after = meet(after, rows[i])
        return [all_flash, total - len(rows) * all_flash]
