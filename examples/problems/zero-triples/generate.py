"""Amounts from the whole range, in no order."""

import random

N_MIN, N_MAX = 1, 100_000


def generate(n: int, seed: int) -> str:
    """A purse of n papers."""
    rng = random.Random(seed)
    return f"{n}\n" + " ".join(str(rng.randint(-(10**9), 10**9)) for _ in range(n)) + "\n"
