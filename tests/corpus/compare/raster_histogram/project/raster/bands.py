"""Bands of satellite images."""

import numpy as np


def histogram(band: np.ndarray, levels: int) -> np.ndarray:
    """How many pixels have each of the levels from 0, int64."""
    counts = np.zeros(levels, dtype=np.int64)
    for value in band.ravel().tolist():
        if 0 <= value < levels:
            counts[value] += 1
    return counts


def darkest(band: np.ndarray, levels: int) -> int:
    return int(np.argmax(histogram(band, levels) > 0))
