"""Flows about a mark in the middle: about half of all stretches reach it."""

import random

N_MIN, N_MAX = 1, 100_000


def generate(n: int, seed: int) -> str:
    """Flows of n days."""
    rng = random.Random(seed)
    flows = " ".join(str(rng.randint(0, 10**6)) for _ in range(n))
    return f"{n} 500000\n{flows}\n"
