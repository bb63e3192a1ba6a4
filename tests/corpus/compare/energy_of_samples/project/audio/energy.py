"""Loudness of sound."""

import numpy as np


def power(sample: int) -> int:
    magnitude = abs(sample)
    return magnitude**2


def energy(samples: list[int]) -> int:
    """The sum of the squared samples."""
    total = 0
    for place in range(len(samples)):
        total = total + power(samples[place])
    return total


def loudest(blocks: list[list[int]]) -> int:
    return int(np.argmax([energy(block) for block in blocks]))
