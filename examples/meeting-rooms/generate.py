"""Arguments of any size for `steelyard profile --entry function:rooms_needed`: n meetings."""

import random

N_MAX = 4_000


def generate(n: int, seed: int) -> list[object]:
    """The one argument, in a list: meetings of up to an hour, at random times of a month."""
    rng = random.Random(seed)
    starts = [rng.randrange(30 * 24 * 60) for _ in range(n)]
    return [[[start, start + rng.randint(1, 60)] for start in starts]]
