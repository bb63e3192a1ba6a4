"""Skylines that rise slowly and fall again: most houses see far to one side."""

import random

N_MIN, N_MAX = 1, 100_000


def generate(n: int, seed: int) -> str:
    """A street of n houses."""
    rng = random.Random(seed)
    heights = sorted(rng.randint(1, 10**9) for _ in range(n))
    street = heights[::2] + heights[1::2][::-1]
    return f"{n}\n" + " ".join(map(str, street)) + "\n"
