"""Strings of a few colours, in no order."""

import random

N_MIN, N_MAX = 1, 5_000


def generate(n: int, seed: int) -> str:
    """A string of n beads."""
    rng = random.Random(seed)
    return f"{n}\n" + "".join(rng.choices("abcd", k=n)) + "\n"
