"""Inputs of any size for `steelyard profile`: trees at random places along the road."""

import random

N_MIN, N_MAX = 1, 100_000


def generate(n: int, seed: int) -> str:
    """Places of n trees, in no order."""
    rng = random.Random(seed)
    return f"{n}\n" + " ".join(str(rng.randint(10**8, 10**9)) for _ in range(n)) + "\n"
