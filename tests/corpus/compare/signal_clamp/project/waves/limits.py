"""Signals within limits."""

import numpy as np


def clamp(samples: np.ndarray, low: float, high: float) -> np.ndarray:
    """A copy with each sample moved into `[low, high]`; NaN stays NaN.

    Raises:
        TypeError: The samples are no floating numbers.
        ValueError: The limits are the wrong way round.
    """
    if samples.dtype.kind != "f":
        raise TypeError("samples are floating numbers")
    if low > high:
        raise ValueError("low is above high")
    result = samples.copy()
    for index in np.ndindex(samples.shape):
        if samples[index] < low:
            result[index] = low
        elif samples[index] > high:
            result[index] = high
    return result
