"""Inputs of any size for `steelyard profile`: n towns, and m roads between them."""

import random

N_MIN, N_MAX = 2, 30_000
M_MIN, M_MAX = 2, 100_000
M_DEFAULT = "3*n"


def generate(n: int, seed: int, m: int) -> str:
    """A road from each town to the next, as far as there are roads; the others at random."""
    rng = random.Random(seed)
    lines = [f"{n} {m}"]
    for road in range(1, m + 1):
        start, end = (road, road + 1) if road < n else (rng.randint(1, n), rng.randint(1, n))
        lines.append(f"{start} {end} {rng.randint(100_000, 999_999)}")
    return "\n".join(lines) + "\n"
