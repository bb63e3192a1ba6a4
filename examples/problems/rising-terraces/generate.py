"""Terraces that fall on the whole, all of different heights: every height may be the best one."""

import random

N_MIN, N_MAX = 1, 6_000


def generate(n: int, seed: int) -> str:
    """A slope of n terraces."""
    rng = random.Random(seed)
    heights = [40_000 * (n - i) + rng.randint(0, 10**8) for i in range(n)]
    return f"{n}\n" + " ".join(map(str, heights)) + "\n"
