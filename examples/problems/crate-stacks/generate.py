"""Crates that get heavier on the whole, so that many stacks stand at a time."""

import random

N_MIN, N_MAX = 1, 100_000


def generate(n: int, seed: int) -> str:
    """A belt with n crates."""
    rng = random.Random(seed)
    weights = [9_000 * i + rng.randint(1, 90_000) for i in range(n)]
    return f"{n}\n" + " ".join(map(str, weights)) + "\n"
