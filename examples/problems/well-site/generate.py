"""Villages all over the valley, in no order."""

import random

N_MIN, N_MAX = 1, 100_000


def generate(n: int, seed: int) -> str:
    """A valley of n villages."""
    rng = random.Random(seed)
    lines = [f"{rng.randint(0, 10**9)} {rng.randint(1, 10_000)}" for _ in range(n)]
    return "\n".join([str(n), *lines]) + "\n"
