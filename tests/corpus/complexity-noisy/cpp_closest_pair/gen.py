"""Inputs of any size for `steelyard profile`: ships at random places."""

import random

N_MIN, N_MAX = 2, 20_000


def generate(n: int, seed: int) -> str:
    """Places of n ships, with three decimals."""
    rng = random.Random(seed)
    lines = [f"{rng.uniform(0, 1e6):.3f} {rng.uniform(0, 1e6):.3f}" for _ in range(n)]
    return "\n".join([str(n), *lines]) + "\n"
